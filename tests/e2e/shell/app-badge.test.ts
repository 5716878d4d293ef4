import { afterAll, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { waitForReading } from '#tests/support/page/unread.ts';
import { type FaultyDesk, startFaultyDesk } from '#tests/support/scenes/faulty-desk.ts';

let desk: FaultyDesk;
let user: User;

beforeAll(async () => {
  desk = await startFaultyDesk();
  user = await createUser(desk.server);
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
  await desk.dispose();
});

const lastBadge = () =>
  user.page().evaluate(() => (globalThis as { badges?: unknown[] }).badges?.at(-1));

test('the app icon shows the same count as the title, and none once all is read or after a sign-out', async () => {
  const shell = toShellPage(user.page());
  await user.signIn(PRODUCER, '/chat/c_001/team');
  // Earlier messages count as read.
  await waitForReading(user.page(), PRODUCER.uid);
  await expect.poll(lastBadge).toBe('cleared');
  const visitor = { publisher: 'client:c_005', clientName: 'Tomás Echeverría' };
  await desk.writeAs(visitor, 'chat.c_005.general', 'Are you there?');
  await expect.poll(lastBadge).toBe(1);
  await desk.writeAs(visitor, 'chat.c_005.team', 'Hello?');
  await expect.poll(lastBadge).toBe(2);
  expect(await user.page().title()).toMatch(/^\(2\) /);
  await user.visit('/chat/c_005/general');
  await expect.poll(lastBadge).toBe(1);
  await shell.chooseFromUserMenu('Logout');
  await user.page().waitForURL((url) => url.pathname === '/login');
  await expect.poll(lastBadge).toBe('cleared');
});
