import type { Locator } from 'playwright-core';

/** Number of frames without a change after which a thread counts as settled. */
const REST_FRAMES = 30;

/**
 * Runs in the page: waits until the thread has settled; returns the height below the visible part.
 */
const measureEnd = async (region: Element, frames: number): Promise<number> => {
  const inside = [region, ...region.querySelectorAll('*')];
  const scroller = inside.find((node) => getComputedStyle(node).overflowY === 'auto');
  if (scroller === undefined) throw new Error('nothing scrolls in the thread');
  await document.fonts.ready;
  const look = (): string =>
    [scroller.scrollHeight, scroller.scrollTop, scroller.clientHeight].join(' ');
  for (let last = '', quiet = 0; quiet < frames; quiet += 1) {
    await new Promise((done) => requestAnimationFrame(done));
    if (look() !== last) quiet = 0;
    last = look();
  }
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
};

/** Distance of a settled thread's end below the visible part, CSS pixels. */
export const toRestingEnd = (region: Locator): Promise<number> =>
  region.evaluate(measureEnd, REST_FRAMES);
