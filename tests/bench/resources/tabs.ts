import { ROOM_IDS, toRoomKey } from '#domain/rooms.ts';

import type { Bench } from '../bench.ts';
import { readBrowserMemory } from '../world/browser-processes.ts';
import { type Desk, waitUntilQuiet } from '../world/desk.ts';
import { toClientIds } from '../world/messages.ts';

const TABS = 8;

/** Opens tabs one after the other; returns how much the memory of the browser grew, MB. */
const measureTabs = async (
  desk: Desk,
  addresses: readonly string[],
): Promise<readonly number[]> => {
  const before = readBrowserMemory(desk.profile);
  const grown: number[] = [];
  const openNext = async (): Promise<void> => {
    const address = addresses[grown.length];
    if (address === undefined) return;
    await desk.inTab(async (page) => {
      await page.goto(address);
      await page.locator('[data-message-id]').first().waitFor();
      await waitUntilQuiet(page);
      grown.push(readBrowserMemory(desk.profile) - before);
      await openNext();
    });
  };
  await openNext();
  return grown;
};

/** Memory of all processes of the browser with eight rooms open in tabs, above that with none. */
export const tabs: Bench = {
  name: 'tabs',
  run: async (world) => {
    const desk = await world.desk();
    const rooms = toClientIds(TABS).map((id, n) => toRoomKey(id, ROOM_IDS[n % 3] ?? 'team'));
    await desk.reopen();
    const floor = await measureTabs(
      desk,
      rooms.map((room) => `${desk.floor.address}/#${room}`),
    );
    await desk.reopen();
    const measured = await measureTabs(
      desk,
      rooms.map((room) => `${desk.server.address()}/chat/${room}`),
    );
    const common = { id: 'F9', unit: 'MB' };
    return [
      {
        ...common,
        what: 'memory of one tab, all processes',
        measured: measured.slice(0, 1),
        floor: floor.slice(0, 1),
      },
      {
        ...common,
        what: `memory of ${TABS} tabs, all processes`,
        measured: measured.slice(-1),
        floor: floor.slice(-1),
        limits: 'value' as const,
        target: 500,
      },
    ];
  },
};
