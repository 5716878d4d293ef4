import type { Page } from 'playwright-core';

import type { Bench } from '../bench.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import {
  type Awaited,
  readLongestTask,
  timeAction,
  timeStart,
  watchTasks,
} from '../world/painted.ts';

const CLIENTS = 5000;
const MESSAGES = 3000;
/** Found by the second key only: with the first, others fill the visible part of the list. */
const SEARCH = { first: '32', second: '1', hit: 'c_3215' } as const;
const FLOOR_ROOM = 'clients';

/** The link of a client, or of the first one in the list if no client is given. */
const toLink = (id = 'chat/c_', after?: Awaited['after']): Awaited => ({
  selector: `nav[aria-label="Clients"] a[href*="/${id}"]`,
  texts: [''],
  ...(after === undefined ? {} : { after }),
});

/** One read of the same number of rows and one whole frame, ms. */
const timeReads = (desk: Desk, samples: number): Promise<readonly number[]> =>
  desk.inTab(async (page) => {
    await page.goto(desk.floor.address);
    const rows = Array.from({ length: CLIENTS }, (_, n) => ({
      room: FLOOR_ROOM,
      timetoken: String(n).padStart(17, '0'),
      id: `c_${n}`,
      text: `Client ${n} Bench`,
    }));
    await page.evaluate((rows) => globalThis.benchFloor?.write(rows), rows);
    const times: number[] = [];
    for (let n = 0; n <= samples; n += 1) {
      const time = await page.evaluate(
        async ({ room, count }) => {
          const floor = globalThis.benchFloor;
          const from = performance.now();
          const rows = await floor?.read(room, count);
          const took = performance.now() - from;
          if (floor === undefined || rows?.length !== count)
            throw new Error('the rows are missing');
          return took + (await floor.frame());
        },
        { room: FLOOR_ROOM, count: CLIENTS },
      );
      if (n > 0) times.push(time);
    }
    return times;
  });

/**
 * Types a second letter into the search; returns the time from the key to the new hits, painted,
 * ms.
 */
const timeKeys = async (page: Page, samples: number): Promise<readonly number[]> => {
  await page.getByRole('button', { name: 'Search clients' }).click();
  const field = page.getByRole('searchbox', { name: 'Search clients' });
  const times: number[] = [];
  for (let n = 0; n <= samples; n += 1) {
    await field.fill(SEARCH.first);
    await waitUntilQuiet(page);
    const hit = toLink(SEARCH.hit, 'keydown');
    const time = await timeAction(page, hit, () => field.press(SEARCH.second));
    if (n > 0) times.push(time);
  }
  return times;
};

/**
 * Opens the list from Home, each time in a new tab; returns the times to the list, painted, and the
 * longest tasks meanwhile, ms.
 */
const timeOpenings = async (desk: Desk, samples: number) => {
  const [times, tasks]: [number[], number[]] = [[], []];
  for (let n = 0; n <= samples; n += 1) {
    await desk.inTab(async (page) => {
      await page.goto(`${desk.server.address()}/`);
      await waitUntilQuiet(page);
      await watchTasks(page);
      const link = page.getByRole('link', { name: 'Chat', exact: true });
      const time = await timeAction(page, toLink(undefined, 'click'), () => link.click());
      if (n === 0) return;
      times.push(time);
      tasks.push(await readLongestTask(page));
    });
  }
  return { times, tasks };
};

/** F12: a list of 5,000 clients. */
export const clients: Bench = {
  name: 'clients',
  run: async (world) => {
    const desk = await world.desk({ messages: MESSAGES, clients: CLIENTS });
    const floor = await timeReads(desk, world.samples);
    const starts: number[] = [];
    const address = `${desk.server.address()}/chat/c_002/team`;
    for (let n = 0; n <= world.samples; n += 1) {
      const start = await desk.inTab((page) => timeStart(page, address, toLink()));
      if (n > 0) starts.push(start);
    }
    const openings = await timeOpenings(desk, world.samples);
    const keys = await desk.inTab(async (page) => {
      await page.goto(address);
      await waitUntilQuiet(page);
      return timeKeys(page, world.samples);
    });
    const what = `${CLIENTS.toLocaleString('en')} clients`;
    const common = { id: 'F12', unit: 'ms', floor };
    return [
      {
        ...common,
        what: `${what}: warm start to list painted`,
        measured: starts,
        target: 3,
        stretch: 2,
      },
      {
        ...common,
        what: `${what}: click on Chat to list painted`,
        measured: openings.times,
        target: 3,
        stretch: 2,
      },
      {
        id: 'F12',
        what: `${what}: longest task until then`,
        unit: 'ms',
        measured: openings.tasks,
        target: 50,
      },
      {
        id: 'F12',
        what: `${what}: key in search to hits painted`,
        unit: 'ms',
        measured: keys,
        target: 34,
      },
    ];
  },
};
