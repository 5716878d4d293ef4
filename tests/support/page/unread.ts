import type { Page } from 'playwright-core';

/** Those of the given rooms with a stored entry after a person's read position. */
export const listUnreadRooms = async (
  page: Page,
  uid: string,
  rooms: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const found = await page.evaluate(async (name) => {
    const done = async <T>(request: IDBRequest<T>): Promise<T> => {
      await new Promise((resolve) => request.addEventListener('success', resolve));
      return request.result;
    };
    const db = await done(indexedDB.open(name));
    const rows = await done<{ room: string; pending: number }[]>(
      db.transaction('activity').objectStore('activity').getAll(),
    );
    db.close();
    return rows.filter(({ pending }) => pending === 1).map(({ room }) => room);
  }, `replay-desk-user-${uid}`);
  return found.filter((room) => rooms.has(room));
};
