import { afterAll, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { toShellPage, waitUntilCurrent } from '#tests/support/page/shell.ts';
import { listUnreadRooms, waitForReading } from '#tests/support/page/unread.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';

let backend: FaultyServer;
let user: User;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
  // The badge itself is on an icon outside the browser: setting it without a number or with 0 has
  // other meanings (Badging API, W3C), so each call is recorded with its argument.
  await user.page().addInitScript(() => {
    const calls: (number | 'cleared')[] = [];
    Object.assign(globalThis, { badges: calls });
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void calls.push(count),
      clearAppBadge: async () => void calls.push('cleared'),
    });
  });
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});

const lastBadge = () =>
  user.page().evaluate(() => (globalThis as { badges?: unknown[] }).badges?.at(-1));

const hasUnread = async (room: string): Promise<boolean> =>
  (await listUnreadRooms(user.page(), PRODUCER.uid, new Set([room]))).length > 0;

/** Records every change of the tab's title, line above new messages, and badge of a room. */
const watchForUnread = () =>
  user.page().evaluate(() => {
    const seen = new Set<string>();
    const { title } = document;
    Object.assign(globalThis, { seenUnread: seen });
    const look = (): void => {
      if (document.title !== title) seen.add(document.title);
      if (document.querySelector('[role="separator"][aria-label="New messages"]')) seen.add('line');
      if (document.querySelector('nav[aria-label="Rooms"] [data-unread]')) seen.add('badge');
    };
    const all = { childList: true, subtree: true, characterData: true, attributes: true };
    new MutationObserver(look).observe(document, all);
  });
const readSeenUnread = () =>
  user.page().evaluate(() => [...((globalThis as { seenUnread?: Set<string> }).seenUnread ?? [])]);

test('the app icon shows the same count as the title, and none once all is read or after a sign-out', async () => {
  const shell = toShellPage(user.page());
  await user.signIn(PRODUCER, '/chat/c_001/team');
  // Earlier messages count as read.
  await waitForReading(user.page(), PRODUCER.uid);
  await expect.poll(lastBadge).toBe('cleared');
  const visitor = { publisher: 'client:c_005', clientName: 'Tomás Echeverría' };
  await backend.writeAs(visitor, 'chat.c_005.general', 'Are you there?');
  await expect.poll(lastBadge).toBe(1);
  await backend.writeAs(visitor, 'chat.c_005.team', 'Hello?');
  await expect.poll(lastBadge).toBe(2);
  expect(await user.page().title()).toMatch(/^\(2\) /);
  await user.visit('/chat/c_005/general');
  await expect.poll(lastBadge).toBe(1);
  await shell.chooseFromUserMenu('Logout');
  await user.page().waitForURL((url) => url.pathname === '/login');
  await expect.poll(lastBadge).toBe('cleared');
});

test('messages that arrive in the open room while its user is at the end never show as unread', async () => {
  const [room, shell] = [toRoomPage(user.page()), toShellPage(user.page())];
  await user.signInByForm(PRODUCER, '/');
  await waitUntilCurrent(user.page());
  await shell.link('Chat').click();
  // Under the pointer the rail covers the clients.
  await user.page().mouse.move(900, 400);
  await shell.client('Maya Okafor').click();
  await shell.rooms.getByRole('link', { name: 'Team', exact: true }).click();
  await room.region.locator('[data-message-id]').first().waitFor();
  const visitor = { publisher: 'client:c_001', clientName: 'Visitor' };
  await watchForUnread();
  const texts = Array.from({ length: 12 }, (_, n) => `While you watch ${n}`);
  for (const text of texts.slice(0, 7)) {
    await backend.writeAs(visitor, 'chat.c_001.team', text);
    await room.message(text).waitFor();
  }
  for (const text of texts.slice(7)) await backend.writeAs(visitor, 'chat.c_001.team', text);
  await room.message(texts.at(-1) ?? '').waitFor();
  await expect.poll(() => hasUnread('c_001/team')).toBe(false);
  expect(await readSeenUnread()).toEqual([]);
});
