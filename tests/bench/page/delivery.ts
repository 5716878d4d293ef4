import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import { CHANNEL_TEMPLATE_DEFAULT, toChannel } from '#domain/rooms.ts';
import { waitFor } from '#tests/support/wait-for.ts';

import type { Bench } from '../bench.ts';
import { openCrowd, toMarked } from '../engine/load.ts';
import { waitUntilQuiet } from '../world/desk.ts';
import { mustHoldAll, openSenders } from './burst.ts';

const ROOM = 'c_092/general';
const PER_SECOND = 50;
const SECONDS = 6;
const SENDERS = 8;

/** The time in a marked text. */
const toMark = (text: string): string => text.split('~')[1] ?? '';

declare global {
  /** The time at which each marked message was painted: its mark, and ms since the epoch. */
  var benchArrivals: Map<string, number> | undefined;
}

/**
 * Runs in a page: records the end of the first frame in which each marked message is on the screen.
 */
const watchArrivals = (): void => {
  const arrivals = new Map<string, number>();
  globalThis.benchArrivals = arrivals;
  const look = (): void => {
    const fresh = [...document.querySelectorAll('[data-message-id]')].flatMap((item) => {
      const mark = /~(?<mark>[\d.]+)~/.exec(item.textContent)?.groups?.['mark'];
      const { top, bottom } = item.getBoundingClientRect();
      const isInSight = bottom > top && bottom > 0 && top < innerHeight;
      return mark !== undefined && isInSight && !arrivals.has(mark) ? [mark] : [];
    });
    if (fresh.length > 0) {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        const now = performance.timeOrigin + performance.now();
        for (const mark of fresh) if (!arrivals.has(mark)) arrivals.set(mark, now);
      });
      port1.start();
      port2.postMessage(undefined);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};

/** The offset of a page's clock to this process's, ms: by the fastest of several exchanges. */
const compareClocks = async (page: Page): Promise<number> => {
  const here = (): number => performance.timeOrigin + performance.now();
  const exchanges: { readonly took: number; readonly ahead: number }[] = [];
  for (let n = 0; n < 20; n += 1) {
    const from = here();
    const there = await page.evaluate(() => performance.timeOrigin + performance.now());
    const to = here();
    exchanges.push({ took: to - from, ahead: there - (from + to) / 2 });
  }
  return exchanges.toSorted((a, b) => a.took - b.took)[0]?.ahead ?? 0;
};

/** F14: from a publish to the message, painted in the browser of another user. */
export const delivery: Bench = {
  name: 'delivery',
  run: async (world) => {
    const desk = await world.desk();
    const crowd = await openCrowd(desk.server.port(), desk.server.tokens(), 1);
    const count = PER_SECOND * SECONDS;
    const { measured, frame } = await desk.inTab(async (page) => {
      await page.goto(`${desk.server.address()}/chat/${ROOM}`);
      await page.locator('[data-message-id]').first().waitFor();
      await waitUntilQuiet(page);
      await page.evaluate(watchArrivals);
      const ahead = await compareClocks(page);
      const channel = toChannel(CHANNEL_TEMPLATE_DEFAULT, ROOM);
      // The server closes connections that are idle.
      const senders = await openSenders(desk, SENDERS);
      const from = performance.now();
      const texts: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const early = from + (n * 1000) / PER_SECOND - performance.now();
        if (early > 0) await pause(early);
        texts.push(toMarked());
        void senders[n % SENDERS]?.publish(channel, texts.at(-1) ?? '');
      }
      const read = (): Promise<[string, number][]> =>
        page.evaluate(() => [...(globalThis.benchArrivals ?? [])]);
      const marks = texts.map(toMark);
      await waitFor('the last message to be painted', async () =>
        (await read()).some(([mark]) => mark === marks.at(-1)),
      );
      for (const sender of senders) sender.close();
      await mustHoldAll(page, texts);
      const epoch = ahead + performance.timeOrigin;
      const painted = (await read()).map(([mark, at]) => ({ mark: Number(mark), at: at - epoch }));
      const delays = marks.map((mark) => {
        // Later messages of a batch may scroll it off the screen before its first frame.
        const later = painted.filter((each) => each.mark >= Number(mark));
        return Math.min(...later.map(({ at }) => at)) - Number(mark);
      });
      const frame = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            requestAnimationFrame((a) => requestAnimationFrame((b) => resolve(b - a)));
          }),
      );
      return { measured: delays, frame };
    });
    await waitFor('every message to be delivered', () => crowd.delays.length === count);
    crowd.close();
    const floor = crowd.delays.map((delay) => delay + frame);
    const common = { id: 'F14', unit: 'ms', measured, floor };
    const what = `publish to painted in another browser, ${PER_SECOND}/s`;
    return [
      { ...common, what, target: 2.5, stretch: 2 },
      { ...common, what: `${what}, p99`, share: 0.99, target: 4, stretch: 3 },
    ];
  },
};
