import type { CDPSession } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_003/general';
const LARGE = 'x'.repeat(20_000);

/**
 * Runs in the page: from now on every write is undone the way a browser does it over the quota.
 * Chromium's own override of the quota reaches IndexedDB only after about 35 s.
 */
const FILL_DISK = `(() => {
  const { add, put } = IDBObjectStore.prototype;
  const refuse = (write) => function (...row) {
    const { transaction } = this;
    const error = new DOMException('full', 'QuotaExceededError');
    Object.defineProperty(transaction, 'error', { configurable: true, value: error });
    const request = write.apply(this, row);
    transaction.abort();
    return request;
  };
  window.freeDisk = () => Object.assign(IDBObjectStore.prototype, { add, put });
  Object.assign(IDBObjectStore.prototype, { add: refuse(add), put: refuse(put) });
})()`;
const FREE_DISK = 'window.freeDisk()';

let server: ServerProcess;
let user: User;
let session: CDPSession;
const room = (): RoomPage => toRoomPage(user.page());
const sent = (text: string) =>
  room().message(text).and(user.page().locator('[data-state="sent"]')).waitFor();

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(PRODUCER, ROOM);
  await room().region.locator('[data-message-id]').first().waitFor();
  session = await user.page().context().newCDPSession(user.page());
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test('a full disk: said at once, the text stays, nothing half stored, and it goes on after', async () => {
  await user.page().evaluate(FILL_DISK);
  await room().composer.fill(`refused ${LARGE}`);
  await room().composer.press('Enter');
  await user.page().getByRole('alert').waitFor();
  expect(await room().composer.inputValue()).toBe(`refused ${LARGE}`);
  expect(await room().message('refused').count()).toBe(0);
  await user.page().screenshot({ path: 'shots/full-disk.png' });
  await user.page().evaluate(FREE_DISK);
  await room().composer.fill('written after the disk was full');
  await room().composer.press('Enter');
  await sent('written after the disk was full');
  await user.page().reload();
  await room().message('written after the disk was full').waitFor();
  expect(await room().message('refused').count()).toBe(0);
});

test('storage cleared under the page: said, loaded again, what is typed stays', async () => {
  await room().composer.fill('still being typed');
  await session.send('Storage.clearDataForOrigin', {
    origin: server.address,
    storageTypes: 'indexeddb',
  });
  await user
    .page()
    .getByText(/storage was cleared/)
    .waitFor();
  await room().message('written after the disk was full').waitFor();
  expect(await room().composer.inputValue()).toBe('still being typed');
  await user.page().screenshot({ path: 'shots/storage-cleared.png' });
  await room().composer.press('Enter');
  await sent('still being typed');
});
