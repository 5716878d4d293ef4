import type { Page } from 'playwright-core';

import type { RoomKey } from '#domain/rooms.ts';
import { toRoomPage } from '#tests/support/page/room.ts';

import type { Bench } from '../bench.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import { inThread, timeAfter } from '../world/painted.ts';
import { openSenders, publishAll, toTexts } from './burst.ts';
import { timePuts, timeSends } from './send.ts';

const ROOM: RoomKey = 'c_090/team';
const BURSTS = 5;
const SENDERS = 50;
/** Frames of a fling and of a drag of the scroll bar. */
const FRAMES = 240;
/** A strong fling: 200 px in its first frame. */
const FLING_PX = 24_000;
/** The length of a frame that missed its turn at 60 a second, and of a noticeable one, ms. */
const LATE_MS = 17.5;
const LONG_MS = 50;

/** Length of each frame, and the number of frames without a message. */
interface Frames {
  readonly lengths: readonly number[];
  readonly blank: number;
}

/**
 * Runs in a page: scrolls the element up from its end, in this many frames: with `fling`, by this
 * many pixels, ever slower; otherwise evenly to its start, like a drag of its bar. A frame is blank
 * if a row is missing where one should be.
 */
const scrollUp = async ({
  selector,
  row,
  frames,
  fling,
}: {
  readonly selector: string;
  readonly row: string;
  readonly frames: number;
  readonly fling?: number;
}): Promise<Frames> => {
  const root = document.querySelector(selector);
  const inside = root === null ? [] : [root, ...root.querySelectorAll('*')];
  const scroller = inside.find((each) => /auto|scroll/.test(getComputedStyle(each).overflowY));
  if (scroller === undefined) throw new Error(`nothing scrolls in ${selector}`);
  const { left, top, width, height } = scroller.getBoundingClientRect();
  const next = (): Promise<number> => new Promise((done) => requestAnimationFrame(done));
  const isBlank = (): boolean =>
    [0.2, 0.4, 0.6, 0.8].every((share) => {
      const hits = document.elementsFromPoint(left + width / 2, top + height * share);
      return !hits.some((hit) => hit.closest(row) !== null);
    });
  scroller.scrollTop = scroller.scrollHeight;
  for (let n = 0; n < 30; n += 1) await next();
  const end = scroller.scrollTop;
  const range = Math.min(end, fling ?? end);
  const lengths: number[] = [];
  let blank = 0;
  let last = await next();
  for (let n = 1; n <= frames; n += 1) {
    const share = n / frames;
    scroller.scrollTop = end - range * (fling === undefined ? share : 1 - (1 - share) ** 2);
    const now = await next();
    lengths.push(now - last);
    last = now;
    if (isBlank()) blank += 1;
  }
  return { lengths, blank };
};

/** Shares of all frames, %. */
const toShares = ({ lengths, blank }: Frames) => {
  const share = (limit: number): number =>
    (100 * lengths.filter((length) => length > limit).length) / lengths.length;
  return { late: share(LATE_MS), long: share(LONG_MS), blank: (100 * blank) / lengths.length };
};

const LIST_ROWS = BURSTS * 1000;

/** The same scroll over plain elements. */
const scrollPlain = (desk: Desk): Promise<Frames> =>
  desk.inTab(async (page) => {
    await page.goto(desk.floor.address);
    await page.evaluate((count) => {
      const list = document.querySelector('ol');
      if (list === null) throw new Error('this is not the page of the floor');
      list.style.cssText = 'height: 700px; overflow-y: auto';
      const rows = Array.from({ length: count }, (_, n) => {
        const row = document.createElement('li');
        row.textContent = `Message ${n} of ${count}: the ball is in play.`;
        return row;
      });
      list.append(...rows);
    }, LIST_ROWS);
    return page.evaluate(scrollUp, { selector: 'ol', row: 'li', frames: FRAMES, fling: FLING_PX });
  });

/** Opens a room and lets 5,000 messages arrive in it, which stay loaded. */
const loadLongThread = async (desk: Desk, page: Page): Promise<void> => {
  await page.goto(`${desk.server.address()}/chat/${ROOM}`);
  await page.locator('[data-message-id]').first().waitFor();
  await waitUntilQuiet(page);
  for (let n = 0; n < BURSTS; n += 1) {
    // New connections each time: a server closes connections that are idle for some seconds.
    const senders = await openSenders(desk, SENDERS);
    const texts = toTexts(`Load ${n}`);
    const newest = inThread(texts.at(-1) ?? '');
    await timeAfter(page, newest, () => publishAll(senders, ROOM, texts), 'end');
    for (const sender of senders) sender.close();
  }
  await waitUntilQuiet(page);
};

/** F7 and F4 in a thread of some 5,000 loaded messages. */
export const longThread: Bench = {
  name: 'long-thread',
  run: async (world) => {
    const desk = await world.desk();
    const puts = await timePuts(desk, world.samples);
    const plain = toShares(await scrollPlain(desk));
    const { sends, fling, drag } = await desk.inTab(async (page) => {
      await loadLongThread(desk, page);
      const sends = await timeSends(page, world.samples, 'A long thread');
      const region = { selector: '[aria-label="Messages"]', row: '[data-message-id]' };
      await toRoomPage(page).region.waitFor();
      const scroll = async (options: { readonly fling?: number }) =>
        toShares(await page.evaluate(scrollUp, { ...region, frames: FRAMES, ...options }));
      return { sends, fling: await scroll({ fling: FLING_PX }), drag: await scroll({}) };
    });
    const rows = `${LIST_ROWS.toLocaleString('en')} rows`;
    const toFigure = (what: string, value: number, targets = {}) => ({
      id: 'F7',
      what: `${what}, ${rows}`,
      unit: '%',
      measured: [value],
      ...targets,
    });
    return [
      {
        id: 'F4',
        what: `Enter to message painted, ${rows} loaded`,
        unit: 'ms',
        measured: sends,
        floor: puts,
        target: 3,
        stretch: 2,
      },
      toFigure('plain DOM, fling: late frames', plain.late),
      toFigure('fling: late frames', fling.late, { target: 8, stretch: 5 }),
      toFigure('fling: frames over 50 ms', fling.long, { target: 0 }),
      toFigure('fling: blank frames', fling.blank, { target: 0 }),
      toFigure('drag: late frames', drag.late, { target: 8, stretch: 5 }),
      toFigure('drag: frames over 50 ms', drag.long, { target: 0 }),
      toFigure('drag: blank frames', drag.blank, { target: 0 }),
    ];
  },
};
