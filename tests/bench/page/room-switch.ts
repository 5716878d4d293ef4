import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';

import type { Bench } from '../bench.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import { markOf, toClientIds } from '../world/messages.ts';
import { inThread, timeAction } from '../world/painted.ts';

/** Between two switches, as a person does not click at once. */
const REST_MS = 300;

/** Clicks a link to one of these rooms; ms from the click to its newest message, painted. */
const timeSwitch = async (
  desk: Desk,
  page: Page,
  rooms: readonly RoomKey[],
  selector: string,
): Promise<number> => {
  const marks = rooms.map((room) => {
    const newest = desk.newest.get(room);
    if (newest === undefined) throw new Error(`${room} has no messages`);
    return markOf(newest);
  });
  const link = page.locator(selector).first();
  await link.hover();
  await pause(REST_MS);
  return timeAction(page, inThread(marks, 'click'), () => link.click());
};

const toRooms = (clientId: string): readonly RoomKey[] =>
  ROOM_IDS.map((room) => toRoomKey(clientId, room));

/** Opens every room of each client, by clicks; ms of each switch. */
export const openAllRooms = async (
  desk: Desk,
  page: Page,
  clientIds: readonly string[],
): Promise<readonly number[]> => {
  const times: number[] = [];
  for (const id of clientIds) {
    const rooms = toRooms(id);
    const link = `nav[aria-label="Clients"] a[href$="/chat/${id}"]`;
    times.push(await timeSwitch(desk, page, rooms, link));
    // A client's link opens the room that was open last.
    const others = rooms.filter((room) => !page.url().endsWith(room));
    if (others.length !== rooms.length - 1) throw new Error(`${page.url()} is not a room of ${id}`);
    for (const room of others) {
      const link = `nav[aria-label="Rooms"] a[href$="/chat/${room}"]`;
      times.push(await timeSwitch(desk, page, [room], link));
    }
  }
  return times;
};

const timeFloor = (desk: Desk, rooms: readonly RoomKey[]): Promise<readonly number[]> =>
  desk.inTab(async (page) => {
    await page.goto(desk.floor.address);
    await page.evaluate((rooms) => {
      const links = rooms.map((room) => {
        const link = document.createElement('a');
        link.href = `#${room}`;
        link.textContent = `${room} `;
        return link;
      });
      document.querySelector('nav')?.append(...links);
    }, rooms);
    const times: number[] = [];
    for (const room of rooms) {
      times.push(await timeSwitch(desk, page, [room], `a[href="#${room}"]`));
    }
    return times;
  });

/** Opens the rooms of as many clients, then all of them again; ms of each switch. */
export const switchRooms = async (desk: Desk, samples: number) => {
  const [start = '', ...clients] = toClientIds(samples + 1);
  const floor = await timeFloor(desk, clients.flatMap(toRooms));
  return desk.inTab(async (page) => {
    await page.goto(`${desk.server.address()}/chat/${start}/team`);
    await page.locator('[data-message-id]').first().waitFor();
    await waitUntilQuiet(page);
    const first = await openAllRooms(desk, page, clients);
    return { floor, first, again: await openAllRooms(desk, page, clients) };
  });
};

/**
 * F3: from the click on a room or client to the stored thread, painted. The pointer rests on the
 * link before; the button is not held down.
 */
export const roomSwitch: Bench = {
  name: 'room-switch',
  run: async (world) => {
    const { floor, first, again } = await switchRooms(await world.desk(), world.samples);
    const common = { id: 'F3', unit: 'ms', floor };
    return [
      { ...common, what: 'room switch', ours: first, reach: 2, lead: 1.5 },
      { ...common, what: 'room switch, p95', ours: first, share: 0.95, reach: 3, lead: 2 },
      { ...common, what: 'room switch, room seen before', ours: again, reach: 2, lead: 1.5 },
    ];
  },
};
