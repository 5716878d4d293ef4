import type { Page } from 'playwright-core';

import { ALL_ROOMS } from '#domain/rooms.ts';

import type { User } from '../browser/user.ts';
import { waitFor } from '../wait-for.ts';

interface ActivityRow {
  readonly room: string;
  readonly pending: number;
}

/** The stored activity of each room, and a row of all rooms once reading has begun. */
const listActivity = (page: Page, uid: string): Promise<readonly ActivityRow[]> =>
  page.evaluate(async (name) => {
    const done = async <T>(request: IDBRequest<T>): Promise<T> => {
      await new Promise((resolve) => request.addEventListener('success', resolve));
      return request.result;
    };
    // Opening it would create it.
    if (!(await indexedDB.databases()).some((known) => known.name === name)) return [];
    const db = await done(indexedDB.open(name));
    const store = db.transaction('activity').objectStore('activity');
    const rows = await done<ActivityRow[]>(store.getAll());
    db.close();
    return rows;
  }, `replay-desk-user-${uid}`);

/** The rooms among the given ones with a stored entry after a user's read position. */
export const listUnreadRooms = async (
  page: Page,
  uid: string,
  rooms: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const found = await listActivity(page, uid);
  return found
    .filter(({ room, pending }) => pending === 1 && rooms.has(room))
    .map(({ room }) => room);
};

/** Waits until a user's first device has begun to read: later messages are unread. */
export const waitForReading = (page: Page, uid: string): Promise<void> =>
  waitFor('the beginning of reading', async () => {
    const found = await listActivity(page, uid);
    return found.some(({ room }) => room === ALL_ROOMS);
  });

/** The number in the title of a user's page. */
export const findUnread = async (user: User): Promise<number> =>
  Number(/^\((\d+)\) /.exec(await user.page().title())?.[1] ?? 0);
