import type { Page } from 'playwright-core';

import { toRoomPage } from '#tests/support/page/room.ts';

import type { Bench } from '../bench.ts';
import type { Desk } from '../world/desk.ts';
import { waitUntilQuiet } from '../world/desk.ts';
import { inThread, timeAction } from '../world/painted.ts';

const ROOM = 'c_091/team';
/** Messages sent before the first sample. */
const WARM_UP = 2;

/** Sends messages one after the other; ms from Enter to each message, painted. */
export const timeSends = async (
  page: Page,
  samples: number,
  label: string,
): Promise<readonly number[]> => {
  const room = toRoomPage(page);
  const times: number[] = [];
  for (let n = 0; n < samples + WARM_UP; n += 1) {
    const text = `${label}, sent as no. ${n}.`;
    await room.composer.fill(text);
    const time = await timeAction(page, inThread(text, 'keydown'), () =>
      room.composer.press('Enter'),
    );
    await page.locator('[data-message-id][data-state="sent"]', { hasText: text }).waitFor();
    if (n >= WARM_UP) times.push(time);
  }
  return times;
};

/** One strict write of one row and one whole frame, ms. */
export const timePuts = (desk: Desk, samples: number): Promise<readonly number[]> =>
  desk.inTab(async (page) => {
    await page.goto(desk.floor.address);
    const times: number[] = [];
    for (let n = 0; n < samples + WARM_UP; n += 1) {
      const row = {
        room: 'c_000/puts',
        timetoken: `${n}`.padStart(17, '0'),
        id: `put-${n}`,
        text: 'x',
      };
      const time = await page.evaluate(async (row) => {
        const floor = globalThis.benchFloor;
        if (floor === undefined) throw new Error('this is not the page of the floor');
        return (await floor.write([row])) + (await floor.frame());
      }, row);
      if (n >= WARM_UP) times.push(time);
    }
    return times;
  });

/** F4: from Enter to the sent message, painted. */
export const send: Bench = {
  name: 'send',
  run: async (world) => {
    const desk = await world.desk();
    const floor = await timePuts(desk, world.samples);
    const measured = await desk.inTab(async (page) => {
      await page.goto(`${desk.server.address()}/chat/${ROOM}`);
      await toRoomPage(page).region.locator('[data-message-id]').first().waitFor();
      await waitUntilQuiet(page);
      return timeSends(page, world.samples, 'A short thread');
    });
    return [
      {
        id: 'F4',
        what: 'Enter to message painted',
        unit: 'ms',
        measured,
        floor,
        target: 3,
        stretch: 2,
      },
      {
        id: 'F4',
        what: 'Enter to message painted, p95',
        unit: 'ms',
        measured,
        floor,
        share: 0.95,
        target: 3,
        stretch: 2,
      },
    ];
  },
};
