import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { fromEpochMs } from '#domain/timetoken.ts';

import type { Bench } from '../bench.ts';
import { appendCoverage, appendMessages, openAppendPage } from '../world/append-page.ts';
import { type Desk, toPlainPage, waitUntilQuiet } from '../world/desk.ts';
import type { BenchMessage } from '../world/messages.ts';
import { timeFloor, timeSwitch, toRoomLink } from './room-switch.ts';

const CLIENT = 'c_099';
const LONG: RoomKey = toRoomKey(CLIENT, 'team');
const OTHER: RoomKey = toRoomKey(CLIENT, 'general');
const COUNT = 10_000;
/** Newer than every message of the world. */
const FIRST_AGE_MS = 1_800_000;

const toMessages = (): readonly BenchMessage[] => {
  const from = Date.now() - FIRST_AGE_MS;
  return Array.from({ length: COUNT }, (_, n) => ({
    room: LONG,
    timetoken: fromEpochMs(from + n),
    publisher: 'u_team',
    id: `long-${n}`,
    text: `${LONG} no. ${n}: the ball is in play again.`,
    ordinal: n,
  }));
};

/** Fills a room of the browser's store and of the floor's. */
const fillRoom = async (desk: Desk, product: string): Promise<Desk> => {
  const messages = toMessages();
  const last = messages.at(-1);
  if (last === undefined) throw new Error('there are no messages');
  const newest = new Map([...desk.newest, [LONG, last]]);
  await desk.inTab(async (page) => {
    await openAppendPage(page, product, toPlainPage(desk.server));
    await appendMessages(page, messages);
    await appendCoverage(page, desk.oldest, new Map([[LONG, last]]));
    await page.goto(desk.floor.address);
    await page.evaluate(async (rows) => {
      if (globalThis.benchFloor === undefined) throw new Error('this is not the page of the floor');
      await globalThis.benchFloor.write(rows);
    }, messages);
  });
  return { ...desk, newest };
};

/** F8: from the click on a room with 10,000 stored messages to its newest, painted. */
export const longRoom: Bench = {
  name: 'long-room',
  run: async (world) => {
    const desk = await fillRoom(await world.desk(), world.product);
    const [measured, floor]: [number[], number[]] = [[], []];
    for (let n = 0; n < world.samples; n += 1) {
      const switches = await timeFloor(desk, [OTHER, LONG]);
      floor.push(...switches.slice(1));
      const time = await desk.inTab(async (page) => {
        await page.goto(`${desk.server.address()}/chat/${OTHER}`);
        await page.locator('[data-message-id]').first().waitFor();
        await waitUntilQuiet(page);
        return timeSwitch(desk, page, LONG, toRoomLink(LONG));
      });
      measured.push(time);
    }
    const what = `click on a room of ${COUNT.toLocaleString('en')} messages to thread painted`;
    return [{ id: 'F8', what, unit: 'ms', measured, floor, target: 3, stretch: 2 }];
  },
};
