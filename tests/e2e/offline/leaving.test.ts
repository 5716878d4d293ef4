import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { readIndexedDb } from '#tests/support/page/indexed-db-dump.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_005/team';

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});

/** Runs in the page: types a text; returns whether it is being stored at once. */
const typeAndWatch = async (field: Element, text: string): Promise<boolean> => {
  const stored: IDBTransaction[] = [];
  const own = Object.getOwnPropertyDescriptor(IDBDatabase.prototype, 'transaction');
  const start = own?.value as (...given: unknown[]) => IDBTransaction;
  IDBDatabase.prototype.transaction = function watched(tables, mode, options) {
    const started = Reflect.apply(start, this, [tables, mode, options]);
    if (mode === 'readwrite' && [tables].flat().includes('drafts')) stored.push(started);
    return started;
  };
  (field as HTMLTextAreaElement).focus();
  document.execCommand('insertText', false, text);
  Object.defineProperty(IDBDatabase.prototype, 'transaction', own ?? {});
  const [first] = stored;
  if (first === undefined) return false;
  await new Promise((done) => first.addEventListener('complete', done));
  return true;
};

test('a draft is stored at once: its page may close right after typing', async () => {
  await user.signIn(PRODUCER, ROOM);
  const room = toRoomPage(user.page());
  await room.region.locator('[data-message-id]').first().waitFor();
  // At the start the drafts of closed tabs are read before any is stored.
  const isStored = async () => (await readIndexedDb(user.page())).text.includes('Stored first.');
  await room.composer.fill('Stored first.');
  await expect.poll(isStored).toBe(true);
  await room.composer.fill('');
  await expect.poll(isStored).toBe(false);
  expect(await room.composer.evaluate(typeAndWatch, 'Begun, and left.')).toBe(true);
  await user.visit(ROOM);
  await expect.poll(() => room.composer.inputValue()).toBe('Begun, and left.');
});
