import { afterEach, expect, vi } from 'vitest';

import { findThreadParts } from '#db/read/queries.ts';
import { findShownStreamed } from '#db/read/stream-coverage.ts';
import type { ThreadModel } from '#db/read/thread-model.ts';
import { threadsOf } from '#db/read/threads.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { coverRoom } from '#domain/project/segments.ts';
import { composeThread } from '#domain/project/thread.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, ME, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const opened: UserStore[] = [];

/** The databases of all tests have the same name, under which Dexie reports commits. */
export const closeTabs = (): void => {
  for (const tab of opened.splice(0)) tab.close();
};

afterEach(() => {
  vi.restoreAllMocks();
  closeTabs();
});

/** Two tabs of one device, closed after the test. */
export const openTabs = async () => {
  const device = createDevice();
  const tabs = [await device.openTab(), await device.openTab()] as const;
  opened.push(...tabs);
  return tabs;
};

/** The thread composed from all stored rows, starting at a position. */
export const composeStored = async ({ database }: UserStore, from: Timetoken) => {
  const { rows, items, pages } = await findThreadParts(database, ROOM, from);
  const coverage = coverRoom(ROOM, pages, await findShownStreamed(database));
  return composeThread(rows, items, ME, coverage?.ranges ?? []);
};

export const openThread = (tab: UserStore, room = ROOM): ThreadModel =>
  threadsOf(tab.database).open(room);

/** Opens a thread on a screen, from the beginning of the room. */
export const showThread = async (tab: UserStore, from = at(0)): Promise<ThreadModel> => {
  const model = openThread(tab);
  model.watch(() => undefined);
  model.show(from);
  await untilPasses(async () => expect(model.get()).toEqual(await composeStored(tab, from)));
  return model;
};
