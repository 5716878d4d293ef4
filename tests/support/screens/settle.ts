import type { Page } from 'playwright-core';

/** Runs in the page: waits for fonts, two frames, and the end of all movement. */
const comeToRest = async (): Promise<void> => {
  await document.fonts.ready;
  const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));
  await frame();
  await frame();
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map((animation) => animation.finished));
  await frame();
};

/** Waits until the appearance of a page is final. */
export const settle = (page: Page): Promise<void> => page.evaluate(comeToRest);
