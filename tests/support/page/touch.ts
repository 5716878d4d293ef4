import type { Locator } from 'playwright-core';

import { getSession } from './session.ts';

/** Taps that may hit something else, because the page moved, before this is an error. */
const MAX_TAPS = 20;

/** Watches the next click, and withholds it from anything but the target. */
const watchClick = (target: Locator) =>
  target.evaluateHandle((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const middle = { x: x + width / 2, y: y + height / 2 };
    // A touch outside the window never becomes a click.
    if (document.elementFromPoint(middle.x, middle.y) === null) return undefined;
    const isHit = new Promise<boolean>((resolve) => {
      const check = (event: Event): void => {
        const hits = event.target instanceof Node && element.contains(event.target);
        if (!hits) {
          event.preventDefault();
          event.stopImmediatePropagation();
        }
        resolve(hits);
      };
      addEventListener('click', check, { capture: true, once: true });
    });
    return { middle, isHit };
  });

/** Whether a tap hits the target where it was measured. */
const tryTap = async (target: Locator): Promise<boolean> => {
  const session = await getSession(target.page());
  const click = await watchClick(target);
  const middle = await click.evaluate((watched) => watched?.middle);
  if (middle === undefined) return false;
  const touchPoints = [middle];
  // Not one after the other: on a slow machine, the time between them would be that of a long press.
  await Promise.all([
    session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints }),
    session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] }),
  ]);
  return click.evaluate((watched) => watched?.isHit ?? false);
};

/**
 * Taps the target; the page must be in a phone's mode (screens/device.ts). Like Playwright's own
 * clicks, a tap that hits something else is repeated: the target may have moved since it was
 * measured.
 */
export const tap = async (target: Locator): Promise<void> => {
  for (let taps = 0; taps < MAX_TAPS; taps += 1) {
    await target.click({ trial: true });
    if (await tryTap(target)) return;
  }
  throw new Error('the target moves away from every tap');
};
