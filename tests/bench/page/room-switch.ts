import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from 'playwright-core';

import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';

import type { Bench } from '../bench.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import { markOf, toClientIds } from '../world/messages.ts';
import { inThread, timeAction } from '../world/painted.ts';

/** The pause between two switches, because a user does not click at once. */
const REST_MS = 300;

/**
 * Clicks the link to a room; returns the time from the click to its newest message, painted, ms.
 */
export const timeSwitch = async (
  desk: Desk,
  page: Page,
  room: RoomKey,
  selector: string,
): Promise<number> => {
  const newest = desk.newest.get(room);
  if (newest === undefined) throw new Error(`${room} has no messages`);
  const link = page.locator(selector).first();
  await link.hover();
  await pause(REST_MS);
  return timeAction(page, inThread(markOf(newest), 'click'), () => link.click());
};

/** Selector of the link to a room of the open client. */
export const toRoomLink = (room: RoomKey): string =>
  `nav[aria-label="Rooms"] a[href$="/chat/${room}"]`;

const toRooms = (clientId: string): readonly RoomKey[] =>
  ROOM_IDS.map((room) => toRoomKey(clientId, room));

/**
 * Runs in the page: scrolls the list until it has the client's link; only visible rows have one.
 */
const scrollToClient = async (id: string): Promise<void> => {
  const clients = document.querySelector('nav[aria-label="Clients"]');
  const find = () => clients?.querySelector(`a[href$="/chat/${id}"]`);
  const lists = [...(clients?.querySelectorAll('*') ?? [])].filter(
    ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight,
  );
  for (const list of lists) {
    for (let top = 0; !find() && top < list.scrollHeight; top += list.clientHeight / 2) {
      list.scrollTop = top;
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50)));
    }
  }
};

/**
 * Opens by clicks the rooms of each client that its link does not open, once its requests are
 * answered or at once (`hurry`); ms of each switch.
 */
export const openRooms = async (
  desk: Desk,
  page: Page,
  clientIds: readonly string[],
  hurry = false,
): Promise<readonly number[]> => {
  const times: number[] = [];
  // Earlier versions open no room with a client, later ones the room that was last open.
  let opensRoom: boolean | undefined;
  for (const id of clientIds) {
    const rooms = toRooms(id);
    await page.evaluate(scrollToClient, id);
    await page.locator(`nav[aria-label="Clients"] a[href$="/chat/${id}"]`).click();
    await page.locator(toRoomLink(toRoomKey(id, 'team'))).waitFor();
    if (!hurry || opensRoom === undefined) await waitUntilQuiet(page);
    else if (opensRoom) await page.waitForURL(`**/chat/${id}/*`);
    const others = rooms.filter((each) => !page.url().endsWith(each));
    opensRoom = others.length < rooms.length;
    for (const room of others) {
      times.push(await timeSwitch(desk, page, room, toRoomLink(room)));
    }
  }
  return times;
};

/** The same clicks on the floor's page; ms of each switch. */
export const timeFloor = (desk: Desk, rooms: readonly RoomKey[]): Promise<readonly number[]> =>
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
      times.push(await timeSwitch(desk, page, room, `a[href="#${room}"]`));
    }
    return times;
  });

/** Opens rooms of this many clients, then all of them again; ms of each switch. */
export const switchRooms = async (desk: Desk, samples: number) => {
  const [start = '', ...clients] = toClientIds(samples + 1);
  const floor = await timeFloor(desk, clients.flatMap(toRooms));
  return desk.inTab(async (page) => {
    await page.goto(`${desk.server.address()}/chat/${start}/team`);
    await page.locator('[data-message-id]').first().waitFor();
    await waitUntilQuiet(page);
    const first = await openRooms(desk, page, clients);
    return { floor, first, again: await openRooms(desk, page, clients) };
  });
};

/**
 * F3: from the click on a room to the stored thread, painted. The pointer rests on the
 * link before; the button is not held down.
 */
export const roomSwitch: Bench = {
  name: 'room-switch',
  run: async (world) => {
    const { floor, first, again } = await switchRooms(await world.desk(), world.samples);
    const common = { id: 'F3', unit: 'ms', floor };
    return [
      { ...common, what: 'room switch', measured: first, target: 2, stretch: 1.5 },
      { ...common, what: 'room switch, p95', measured: first, share: 0.95, target: 3, stretch: 2 },
      {
        ...common,
        what: 'room switch, room seen before',
        measured: again,
        target: 2,
        stretch: 1.5,
      },
    ];
  },
};
