import type { CDPSession } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { limitQuota, type LimitedStorage } from '#tests/support/browser/limited-storage.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_003/general';
const FULL = "This device's storage is full";

let server: ServerProcess;
let user: User;
let session: CDPSession;
let quota: LimitedStorage;
const room = (): RoomPage => toRoomPage(user.page());
const sent = (text: string) =>
  room().message(text).and(user.page().locator('[data-state="sent"]')).waitFor();

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(PRODUCER, ROOM);
  await room().region.locator('[data-message-id]').first().waitFor();
  quota = limitQuota(server.address);
  session = await user.page().context().newCDPSession(user.page());
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

/**
 * Sends one text after another until the browser refuses one; returns the refused text. No text is
 * sent twice: the second attempt could succeed as soon as there is space again.
 */
const sendUntilRefused = async (): Promise<string> => {
  let count = 0;
  const refusal = user.page().getByRole('alert').filter({ hasText: 'your text stays here' });
  const attempt = async (): Promise<number> => {
    if ((await room().composer.inputValue()) === '') {
      await room().composer.fill(`before the quota was used up: ${(count += 1)}.`);
      await room().composer.press('Enter');
    }
    return await refusal.count();
  };
  await expect.poll(attempt, { interval: 1000 }).toBe(1);
  return `before the quota was used up: ${count}.`;
};

test('an exhausted quota is reported, the text stays, nothing is stored in part, and sending continues afterwards', async () => {
  await quota.fill(user.page());
  const refused = await sendUntilRefused();
  const notice = user.page().getByText(FULL, { exact: true });
  await notice.waitFor();
  expect(await room().composer.inputValue()).toBe(refused);
  expect(await room().message(refused).count()).toBe(0);
  await user.page().screenshot({ path: 'shots/quota-used-up.png' });
  await quota.free(user.page());
  await notice.waitFor({ state: 'detached' });
  await room().composer.fill('written after the disk was full');
  await room().composer.press('Enter');
  await sent('written after the disk was full');
  await user.page().reload();
  await room().message('written after the disk was full').waitFor();
  expect(await room().message(refused).count()).toBe(0);
});

test('storage cleared under the page is reported and loaded again, and drafts stay', async () => {
  // The page may load again while the browser still deletes: kept messages are then read later, and
  // the session is stored with its next confirmation.
  user.problems.allow(/KEPT_UNREAD|CLIENT_SESSION_ERROR \{step: save, kind: storage\}/);
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
