import type { Page } from 'playwright-core';

/** Runs in the page: until fonts are there, two frames are drawn and nothing moves. */
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

/** Waits until a page looks as it will go on looking. */
export const settle = (page: Page): Promise<void> => page.evaluate(comeToRest);
