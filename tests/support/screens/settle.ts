import type { Page } from 'playwright-core';

/** Runs in the page: waits for fonts, two frames, and the end of all movement. */
const comeToRest = async (): Promise<void> => {
  await document.fonts.ready;
  const frame = (): Promise<unknown> => new Promise((drawn) => requestAnimationFrame(drawn));
  await frame();
  await frame();
  // Ten seconds after the focus, the caret stops blinking (global.css); nothing moves until then.
  const isCaret = (one: Animation) => one instanceof CSSAnimation && one.animationName === 'rest';
  const ending = document
    .getAnimations()
    .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity && !isCaret(one));
  await Promise.allSettled(ending.map((animation) => animation.finished));
  await frame();
};

/** Waits until the appearance of a page is final. */
export const settle = (page: Page): Promise<void> => page.evaluate(comeToRest);
