import { afterEach, beforeEach, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { type ShellPage, toShellPage, waitForShortcuts } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';
import { listUnreadRooms, waitForReading } from '#tests/support/page/unread.ts';
import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';

let server: ServerProcess;
let user: User;
let room: RoomPage;
let shell: ShellPage;
let terminals: Terminal[] = [];

const meet = (): void => {
  room = toRoomPage(user.page());
  shell = toShellPage(user.page());
};
// Read and unread positions outlast a device.
beforeEach(async () => {
  server = await startServer();
  user = await createUser(server);
  meet();
});
afterEach(async () => {
  await Promise.all(terminals.map((terminal) => terminal.close()));
  terminals = [];
  const problems = user.problems.take();
  await user.dispose();
  await server.dispose();
  expect(problems).toEqual([]);
});

const openClient = async (clientId: string, roomId: string): Promise<Terminal> => {
  const terminal = await openTerminal(server, clientId, roomId);
  terminals.push(terminal);
  return terminal;
};

/** Signs in and waits until this device has begun to read, so that later messages are unread. */
const open = async (path: string): Promise<void> => {
  await user.signIn(PRODUCER, path);
  await room.region.locator('[data-message-id]').first().waitFor();
  await waitForReading(user.page(), PRODUCER.uid);
  await expect.poll(title).toContain(' · ');
};

const title = () => user.page().title();
const ofClient = (name: string) => shell.client(name).getAttribute('aria-description');
const ofRoom = (name: string) =>
  shell.rooms.getByRole('link', { name, exact: true }).getAttribute('aria-description');
/** Overlap of the badge with the initials, CSS pixels; capitals are 0.73 em high. */
const measureBadge = (name: string): Promise<number> =>
  shell.client(name).evaluate((link) => {
    const avatar = link.querySelector('[data-initials]');
    const badge = link.querySelector('span[data-unread]');
    if (avatar === null || badge === null) throw new Error('no badge');
    const { top, height } = avatar.getBoundingClientRect();
    const letters = Number.parseFloat(getComputedStyle(avatar).fontSize) * 0.73;
    return badge.getBoundingClientRect().bottom - (top + height / 2 - letters / 2);
  });
const newLine = () => room.region.getByText('New', { exact: true });

/** Whether a room has a stored entry after its read position. */
const hasUnread = async (room: string): Promise<boolean> =>
  (await listUnreadRooms(user.page(), PRODUCER.uid, new Set([room]))).length > 0;

/** The window loses the focus, as far as the page can tell. */
const lookAway = () =>
  user.page().evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new Event('blur'));
  });
const lookBack = () =>
  user.page().evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event('focus'));
  });

test('a message in another room shows at its client, its room and in the title until it was seen', async () => {
  await open('/chat/c_001/team');
  await expect.poll(title).toBe('Maya Okafor · Team – Replay Desk Staff Dashboard');
  const name = 'Søren Kjærgaard';
  const client = await openClient('c_002', 'general');
  client.write('Is the second cut ready?');
  client.write('We go live at seven.');
  await expect.poll(title).toBe('(2) Maya Okafor · Team – Replay Desk Staff Dashboard');
  await expect.poll(() => ofClient(name)).toBe('2 unread');
  expect(await measureBadge(name)).toBeLessThanOrEqual(0);
  await user.visit('/chat/c_002/team');
  await expect.poll(() => ofRoom('General')).toMatch(/^2 unread(?:,|$)/);
  await expect.poll(() => ofRoom('Team')).not.toMatch(/unread/);
  // The client opens at the room with unread messages.
  await expect.poll(() => shell.client(name).getAttribute('href')).toBe('/chat/c_002/general');
  await shell.client(name).click();
  await newLine().waitFor();
  await expect.poll(() => ofClient(name)).toBe(null);
  await expect.poll(title).toBe(`${name} · General – Replay Desk Staff Dashboard`);
  await expect.poll(() => hasUnread('c_002/general')).toBe(false);
  const first = user.page();
  await user.openTab();
  await user.visit('/');
  await expect.poll(title).toBe('Replay Desk Staff Dashboard');
  await first.reload();
  await room.message('We go live at seven.').waitFor();
  await expect.poll(() => first.title()).toBe(`${name} · General – Replay Desk Staff Dashboard`);
  await expect.poll(() => newLine().count()).toBe(0);
});

test('Alt+Shift with the arrow keys opens the next unread room', async () => {
  await open('/chat/c_001/team');
  await waitForShortcuts(user.page());
  const client = await openClient('c_007', 'producers');
  client.write('Far down the list.');
  await expect.poll(title).toMatch(/^\(1\) /);
  await user.page().keyboard.press('Alt+Shift+ArrowDown');
  await expect.poll(() => user.path()).toBe('/chat/c_007/producers');
  await expect.poll(title).not.toMatch(/^\(/);
  await user.page().keyboard.press('Alt+Shift+ArrowUp');
  // Alt+Shift starts at the same room, because no other one was unread.
  await user.page().keyboard.press('Alt+ArrowUp');
  await expect.poll(() => user.path()).toBe('/chat/c_007/general');
});

test('a message in the open room is read at once, but only in a focused window', async () => {
  await open('/chat/c_003/team');
  const before = await title();
  const client = await openClient('c_003', 'team');
  client.write('Perhaps while the desk connects.');
  await room.message('Perhaps while the desk connects.').waitFor();
  await expect.poll(() => hasUnread('c_003/team')).toBe(false);
  await expect.poll(title).toBe(before);
  client.write('Seen at once.');
  await room.message('Seen at once.').waitFor();
  await expect.poll(title).toBe(before);
  await expect.poll(() => hasUnread('c_003/team')).toBe(false);
  await lookAway();
  client.write('Nobody is looking.');
  await expect.poll(title).toBe(`(1) ${before}`);
  await newLine().waitFor();
  await lookBack();
  await expect.poll(title).toBe(before);
  await expect.poll(() => newLine().count()).toBe(1);
});

test('messages that arrive below the visible part stay unread', async () => {
  await open('/chat/c_001/team');
  const before = await title();
  await room.region.locator('[data-message-id]').first().scrollIntoViewIfNeeded();
  const pill = user.page().getByRole('button', { name: /latest messages/i });
  await pill.waitFor();
  const client = await openClient('c_001', 'team');
  client.write('Below the fold.');
  await expect.poll(title).toBe(`(1) ${before}`);
  await user
    .page()
    .getByRole('button', { name: /new messages/i })
    .click();
  await expect.poll(title).toBe(before);
});

test('a second tab and an offline start show the same', async () => {
  await open('/chat/c_001/team');
  const first = user.page();
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await user.openTab();
  await user.visit('/chat/c_001/general');
  room = toRoomPage(user.page());
  await room.region.locator('[data-message-id]').first().waitFor();
  const client = await openClient('c_004', 'producers');
  client.write('For the producers.');
  for (const page of [first, user.page()]) {
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
  }
  user.problems.allow(/net::ERR_|CLIENT_FETCH_ERROR|Failed to load resource/);
  await user.goOffline();
  await user.visit('/');
  await expect.poll(title).toBe('(1) Replay Desk Staff Dashboard');
  const waiting = user.page().getByRole('region', { name: 'Needs reply' });
  const entry = waiting.locator('a[href="/chat/c_004/producers"]');
  await expect.poll(() => entry.getAttribute('aria-description')).toMatch(/^1 unread, /);
  await entry.click();
  await expect.poll(() => user.path()).toBe('/chat/c_004/producers');
  await expect.poll(() => first.title()).not.toMatch(/^\(/);
});

test('messages that arrived while offline stay unread even in a focused window', async () => {
  await user.dispose();
  user = await createUser(server, 'whole');
  meet();
  user.problems.allow(/net::ERR_|CLIENT_FETCH_ERROR|Failed to load resource/);
  await open('/chat/c_008/team');
  const before = await title();
  const client = await openClient('c_008', 'team');
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await user.goOffline();
  await expect.poll(() => shell.connection.innerText()).toMatch(/^Offline/);
  for (const text of ['Missed one.', 'Missed two.']) client.write(text);
  await client.waitForLine('Missed two.');
  await user.goOnline();
  await room.message('Missed two.').waitFor();
  await newLine().waitFor();
  await expect.poll(title).toBe(before);
  await room.send('Answered.');
  await room.region.locator('[data-state="sent"]', { hasText: 'Answered.' }).waitFor();
  await user.closeBrowser();
  client.write('Overnight.');
  await client.waitForLine('Overnight.');
  await user.openBrowser();
  room = toRoomPage(user.page());
  await user.visit('/chat/c_008/team');
  await room.message('Overnight.').waitFor();
  const lastRead = room.message('Answered.').locator('xpath=..');
  await expect.poll(() => lastRead.innerText()).toMatch(/Answered\.\s+New$/);
  await expect.poll(title).toBe(before);
});

test('messages read in one tab are not unread in another', async () => {
  await open('/chat/c_009/team');
  const behind = user.page();
  const line = newLine();
  await lookAway();
  const client = await openClient('c_009', 'team');
  client.write('For the tab that looks first.');
  await line.waitFor();
  await user.openTab();
  await user.visit('/chat/c_009/team');
  await expect.poll(() => behind.title()).not.toMatch(/^\(/);
  await expect.poll(() => line.count()).toBe(0);
});

test("the user's own messages are never unread, on whatever device they were written", async () => {
  await open('/chat/c_001/team');
  const elsewhere = await createUser(server);
  await elsewhere.signIn(PRODUCER, '/chat/c_005/general');
  const there = toRoomPage(elsewhere.page());
  await there.send('Written at the other desk.');
  const colleague = await createUser(server);
  await colleague.signIn(TEAM, '/chat/c_006/general');
  await toRoomPage(colleague.page()).send('Written by a colleague.');
  await expect.poll(title).toMatch(/^\(1\) /);
  await expect.poll(() => ofClient('Beatriz Figueiredo')).toBe('1 unread');
  await expect.poll(() => ofClient('Tomás Echeverría')).toBe(null);
  await Promise.all([elsewhere.dispose(), colleague.dispose()]);
});
