import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';
/** More than a stream's backlog of 100, and not a multiple of a page. */
const MISSED = 350;

let server: ServerProcess;
let user: User;
let maya: Terminal;
const room = (): RoomPage => toRoomPage(user.page());

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(PRODUCER, ROOM);
  await room().region.locator('[data-message-id]').first().waitFor();
  maya = await openTerminal(server, 'c_001', 'general');
});
afterAll(async () => {
  await maya?.close();
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const toText = (index: number): string => `while you were away ${String(index).padStart(3, '0')}.`;
const ALL = Array.from({ length: MISSED }, (_, index) => toText(index + 1));

/** Loads older messages until the first missed one is there. */
const fetchBack = async (): Promise<void> => {
  while (!(await room().readAll()).some(({ text }) => text.includes(toText(1)))) {
    const before = (await room().readAll()).length;
    await room().fetchMore.click();
    await expect.poll(async () => (await room().readAll()).length).toBeGreaterThan(before);
  }
};

test('350 messages missed while offline all arrive afterwards, once and in order', async () => {
  await user.goOffline();
  for (const text of ALL) maya.write(text);
  await maya.waitForLine(toText(MISSED));
  await user.goOnline();
  await room().message(toText(MISSED)).waitFor();
  await fetchBack();
  const texts = (await room().readAll()).flatMap(
    ({ text }) => text.match(/while you were away \d{3}\./g) ?? [],
  );
  expect(texts).toEqual(ALL);
});

test('rows of an unknown shape on the device do not break a room', async () => {
  user.problems.allow(/STORED_ROW_UNREADABLE/);
  await user.page().evaluate(spoilStoredRows);
  await user.page().reload();
  await room().message(toText(MISSED)).waitFor();
  await room().send('Still working.');
  await expect.poll(() => room().message('Still working.').getAttribute('data-state')).toBe('sent');
});

/** Runs in the page: makes one stored message unreadable. */
const spoilStoredRows = async (): Promise<void> => {
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('failed')));
    });
  const found = (await indexedDB.databases()).find(({ name }) =>
    name?.startsWith('replay-desk-user-'),
  );
  const database = await done(indexedDB.open(found?.name ?? ''));
  const entries = database.transaction('entries', 'readwrite').objectStore('entries');
  const ofRoom = IDBKeyRange.bound('c_001/general|', 'c_001/general|\uffff');
  const rows = (await done(entries.getAll(ofRoom))) as { k: string; f: string }[];
  const victim = rows.at(-2);
  await done(entries.put({ ...victim, t: 42, v: 1 }));
  database.close();
};
