import type { Page } from 'playwright-core';

import type { RoomKey } from '#domain/rooms.ts';
import { getSession } from '#tests/support/page/session.ts';

import type { Bench } from '../bench.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import { toClientIds } from '../world/messages.ts';
import { openRooms } from '../page/room-switch.ts';

const MEGABYTE = 1_048_576;
/** All three rooms of each client are opened, one after the other: some 200. */
const CLIENTS = 67;

/** JavaScript heap of a page after a collection, MB. */
export const measureHeap = async (page: Page): Promise<number> => {
  const session = await getSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / MEGABYTE;
};

const openRoom = async (desk: Desk, page: Page, room: RoomKey): Promise<void> => {
  await page.goto(`${desk.server.address()}/chat/${room}`);
  await page.locator('[data-message-id]').first().waitFor();
  await waitUntilQuiet(page);
};

/** The heap of a new tab with one room open, MB. */
export const measureRoomHeap = (desk: Desk): Promise<number> =>
  desk.inTab(async (page) => {
    await openRoom(desk, page, 'c_002/team');
    return measureHeap(page);
  });

/** F9: the heap with one room open, and after many were opened. */
export const heap: Bench = {
  name: 'heap',
  run: async (world) => {
    const desk = await world.desk();
    const [empty, one]: [number[], number[]] = [[], []];
    for (let n = 0; n < world.samples; n += 1) {
      empty.push(await desk.inTab(measureHeap));
      one.push(await measureRoomHeap(desk));
    }
    const ids = toClientIds(1 + CLIENTS).slice(1);
    const { before, after, count } = await desk.inTab(async (page) => {
      await openRoom(desk, page, 'c_001/team');
      const before = await measureHeap(page);
      const switches = await openRooms(desk, page, ids, true);
      await waitUntilQuiet(page);
      return { before, count: switches.length + ids.length, after: await measureHeap(page) };
    });
    const stored = desk.messages.length.toLocaleString('en');
    return [
      {
        id: 'F9',
        what: `heap above an empty page, ${stored} stored, one room open`,
        unit: 'MB',
        measured: one.map((size, n) => size - (empty[n] ?? 0)),
        target: 15,
        stretch: 8,
      },
      {
        id: 'F9',
        what: `heap after ${count} switches; floor: before them`,
        unit: 'MB',
        measured: [after],
        floor: [before],
        target: 1.1,
      },
    ];
  },
};
