import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from 'playwright-core';

/** The element that counts as painted, and the start of its time. */
export interface Awaited {
  /** Selector of the elements, one of which must show one of the texts. */
  readonly selector: string;
  readonly texts: readonly string[];
  /** The event that starts the time; without it, the navigation. */
  readonly after?: 'click' | 'keydown' | 'input';
}

/** A message with one of these texts in a thread. */
export const inThread = (text: string | readonly string[], after?: Awaited['after']): Awaited => ({
  selector: '[data-message-id]',
  texts: typeof text === 'string' ? [text] : text,
  ...(after === undefined ? {} : { after }),
});

/** Time from the start to the end of the frame that shows it, ms. */
type Painted = Promise<{ readonly ms: number } | { readonly error: string }>;

declare global {
  // Pages share nothing else with the script below.
  var benchPainted: Painted | undefined;
}

/**
 * Runs in a page, before or after its own scripts: looks once per frame, before it is rendered, for
 * an element with the text that is really visible, and takes the time after that frame.
 */
const watch = ({ selector, texts, after }: Awaited): void => {
  const isVisible = (element: Element): boolean => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && element.contains(hit);
  };
  const find = (): boolean =>
    [...document.querySelectorAll(selector)]
      .filter(({ textContent }) => texts.some((text) => textContent.includes(text)))
      .some(isVisible);
  globalThis.benchPainted = new Promise((resolve) => {
    let from = after === undefined ? 0 : undefined;
    const note = ({ timeStamp }: Event): void => {
      from ??= timeStamp;
    };
    if (after !== undefined) addEventListener(after, note, { capture: true, once: true });
    const look = (): void => {
      if (!find()) {
        requestAnimationFrame(look);
        return;
      }
      if (from === undefined) {
        resolve({ error: `"${texts.join()}" was painted before the ${after}` });
        return;
      }
      const started = from;
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve({ ms: performance.now() - started }));
      port1.start();
      // Delivered once this frame is rendered.
      port2.postMessage(undefined);
    };
    requestAnimationFrame(look);
  });
};

/** Longest wait for a paint; beyond it the bench fails. */
const PAINT_MAX_MS = 120_000;
/** Length of a page's text in an error. */
const SHOWN_MAX = 2000;

const readPainted = async (page: Page, what: Awaited): Promise<number> => {
  const late = new AbortController();
  const never = async (): Promise<never> => {
    await pause(PAINT_MAX_MS, undefined, { signal: late.signal });
    const shown = (await page.locator('body').innerText()).slice(0, SHOWN_MAX);
    throw new Error(`"${what.texts.join()}" was not painted at ${page.url()}, but:\n${shown}`);
  };
  const read = page.evaluate(() => globalThis.benchPainted);
  const failed = never();
  failed.catch(() => undefined);
  const painted = await Promise.race([read, failed]).finally(() => late.abort());
  if (painted === undefined) throw new Error(`nothing watched ${page.url()}`);
  if ('error' in painted) throw new Error(painted.error);
  return painted.ms;
};

/** Opens an address in a new page and returns when `what` was painted, ms after the navigation. */
export const timeStart = async (page: Page, address: string, what: Awaited): Promise<number> => {
  await page.addInitScript(watch, what);
  await page.goto(address, { waitUntil: 'commit' });
  return readPainted(page, what);
};

/** Acts in a page and returns when `what` was painted, ms after the first event `what.after`. */
export const timeAction = async (
  page: Page,
  what: Awaited,
  act: () => Promise<unknown>,
): Promise<number> => {
  await page.evaluate(watch, what);
  await act();
  return readPainted(page, what);
};

/**
 * Acts outside a page and returns when `what` was painted, ms after the start or the end of the
 * action.
 */
export const timeAfter = async (
  page: Page,
  what: Awaited,
  act: () => Promise<unknown>,
  from: 'start' | 'end',
): Promise<number> => {
  const readClock = (): Promise<number> => page.evaluate(() => performance.now());
  await page.evaluate(watch, what);
  const [start, startHere] = [await readClock(), performance.now()];
  await act();
  // The clock of this process counts: a busy page would answer late.
  const end = start + performance.now() - startHere;
  return (await readPainted(page, what)) - (from === 'start' ? start : end);
};

declare global {
  // Lengths of a page's long tasks, ms.
  var benchTasks: number[] | undefined;
}

/** Records the long tasks of a page from now on. */
export const watchTasks = (page: Page): Promise<void> =>
  page.evaluate(() => {
    globalThis.benchTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) globalThis.benchTasks?.push(duration);
    }).observe({ type: 'longtask' });
  });

/** Longest task of a page since `watchTasks`, ms; 0 if none was over 50 ms. */
export const readLongestTask = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, ...(globalThis.benchTasks ?? [])));
