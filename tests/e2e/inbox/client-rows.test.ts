import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { readIndexedDb } from '#tests/support/page/indexed-db-dump.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { readNamesAndTexts, type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { waitForReading } from '#tests/support/page/unread.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { openTerminal, type Terminal } from '#tests/support/process/terminal.ts';

/** Her last messages are by staff. */
const AOIFE = "Aoife O'Sullivan";
/** Wider than the lists. */
const LONG = {
  first: 'Wilhelmina-Alexandra',
  full: 'Wilhelmina-Alexandra von Hohenberg-Schwarzenfels zu Lichtenau',
};
/** Second by name, but not by activity. */
const BEATRIZ = 'Beatriz Figueiredo';

let server: ServerProcess;
let user: User;
let room: RoomPage;
let shell: ShellPage;
let terminals: Terminal[] = [];

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await user.startOver();
  meet();
});
afterEach(async () => {
  await Promise.all(terminals.map((terminal) => terminal.close()));
  terminals = [];
  expect(user.problems.take()).toEqual([]);
});

const meet = (): void => {
  room = toRoomPage(user.page());
  shell = toShellPage(user.page());
};
const openClient = async (clientId: string, roomId: string): Promise<Terminal> => {
  const terminal = await openTerminal(server, clientId, roomId);
  terminals.push(terminal);
  return terminal;
};
const button = (name: string) => user.page().getByRole('button', { name, exact: true });
const show = (name: string) =>
  user.page().getByRole('radiogroup', { name: 'Show' }).getByRole('radio', { name, exact: true });
const rowOf = (name: string) => shell.client(name).innerText();
const rows = () => shell.clients.getByRole('link');
/** The client's place from the top. */
const placeOf = (name: string) =>
  shell.client(name).locator('xpath=..').getAttribute('aria-posinset');
const ofRoom = (name: string) =>
  shell.rooms.getByRole('link', { name, exact: true }).getAttribute('aria-description');

/** Signs in with wide columns and waits until this device has the conversations. */
const open = async (path = '/chat/c_001/team', account = PRODUCER): Promise<void> => {
  await user.signIn(account, path);
  await room.region.locator('[data-message-id]').first().waitFor();
  await button('Expand clients').click();
  await expect.poll(() => rowOf(AOIFE)).toMatch(/(?:Leila|Jonas|You|Aoife): /);
  // Earlier messages count as read.
  await waitForReading(user.page(), account.uid);
};

test('a client who writes moves up with the text and needs a reply until staff answers', async () => {
  await open();
  await show('Needs reply').check();
  await shell.client('Maya Okafor').waitFor();
  await expect.poll(() => shell.client(AOIFE).count()).toBe(0);
  await show('All').check();
  expect(await placeOf(AOIFE)).not.toBe('1');
  const client = await openClient('c_003', 'general');
  client.write('Can you cut the second half?');
  await expect.poll(() => rowOf(AOIFE)).toContain('Aoife: Can you cut the second half?');
  await expect.poll(() => placeOf(AOIFE)).toBe('1');
  // The count may change a moment after the newest message.
  await expect
    .poll(() => shell.client(AOIFE).getAttribute('aria-description'))
    .toMatch(/^1 unread, Aoife: Can you cut the second half\?, \d\d?:\d\d [AP]M$/);
  await show('Unread').check();
  await expect.poll(() => rows().count()).toBe(1);
  // Each filter leads to the room for which the client is listed.
  expect(await shell.client(AOIFE).getAttribute('href')).toBe('/chat/c_003/general');
  await show('Needs reply').check();
  await shell.client(AOIFE).click();
  await expect.poll(() => ofRoom('General')).toContain('Aoife: Can you cut the second half?');
  await shell.rooms.getByRole('link', { name: 'General', exact: true }).click();
  await room.message('Can you cut the second half?').waitFor();
  expect(await shell.client(AOIFE).count()).toBe(1);
  await room.send('On it.');
  // The open client stays in the list until the filter or the room changes.
  await expect.poll(() => rowOf(AOIFE)).toContain('You: On it.');
  await show('All').check();
  await show('Needs reply').check();
  await expect.poll(() => shell.client(AOIFE).count()).toBe(0);
  await show('All').check();
  await expect.poll(() => rowOf(AOIFE)).toContain('You: On it.');
  await expect.poll(() => ofRoom('General')).toContain('You: On it.');
});

test('filter and order are remembered, and a start without a network shows the same', async () => {
  user.problems.allow(NETWORK_AWAY);
  await open();
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await button('Order by name').click();
  await expect.poll(() => placeOf(BEATRIZ)).toBe('2');
  await show('Needs reply').check();
  // A page that closes before it has stored a filter may lose it.
  const readStored = async (): Promise<string> => (await readIndexedDb(user.page())).text;
  await expect.poll(readStored).toContain('"filter":"waiting"');
  // Until then, further rooms may be read.
  await user.goOffline();
  await user.visit('/chat/c_001/team');
  await show('Needs reply').and(user.page().locator(':checked')).waitFor();
  const isComplete = (texts: readonly string[]): boolean =>
    texts.length > 1 && texts.every((text) => text.includes(': '));
  await expect.poll(async () => isComplete(await rows().allInnerTexts())).toBe(true);
  const before = await readNamesAndTexts(rows());
  await user.visit('/chat/c_001/team');
  await show('Needs reply').and(user.page().locator(':checked')).waitFor();
  await expect.poll(() => readNamesAndTexts(rows())).toEqual(before);
  await show('All').check();
  await expect.poll(() => placeOf(BEATRIZ)).toBe('2');
  await button('Order by last activity').click();
  await expect.poll(() => placeOf(BEATRIZ)).not.toBe('2');
  await user.goOnline();
});

test('a draft or an unsent message shows in place of the last message', async () => {
  user.problems.allow(NETWORK_AWAY);
  await open('/chat/c_003/team');
  await room.composer.fill('A thought that');
  await shell.rooms.getByRole('link', { name: 'General', exact: true }).click();
  await expect.poll(() => rowOf(AOIFE)).toContain('Draft in Team: A thought that');
  await expect.poll(() => ofRoom('Team')).toBe('Draft: A thought that');
  await user.goOffline();
  await expect.poll(() => shell.connection.innerText()).toMatch(/^Offline/);
  await room.send('Written on a train.');
  await expect.poll(() => rowOf(AOIFE)).toContain('Queued: Written on a train.');
  await user.goOnline();
  await expect.poll(() => ofRoom('General')).toMatch(/^You: Written on a train\./);
  await expect.poll(() => rowOf(AOIFE)).toContain('Draft in Team: A thought that');
  await shell.rooms.getByRole('link', { name: 'Team', exact: true }).click();
  await room.composer.fill('');
  await expect.poll(() => rowOf(AOIFE)).toContain('You: Written on a train.');
});

test('a name that is cut is shown in full under the pointer', async () => {
  const [name, first] = [LONG.full, LONG.first];
  await open('/chat/c_008/team');
  const isCut = (element: Element): boolean => element.scrollWidth > element.clientWidth;
  const ofClient = shell.client(name).getByText(name, { exact: true });
  expect(await ofClient.evaluate(isCut)).toBe(true);
  expect(await ofClient.getAttribute('title')).toBe(name);
  const heading = user.page().getByRole('heading', { name: `${first} Rooms`, exact: true });
  // The word after it stays.
  expect(await heading.evaluate(isCut)).toBe(false);
  const ofRooms = heading.getByText(first, { exact: true });
  expect(await ofRooms.evaluate(isCut)).toBe(true);
  expect(await ofRooms.getAttribute('title')).toBe(name);
});

test('the collapsed column shows name and last message on hover and on focus', async () => {
  // The order is shared by all devices of a user, so this is a user who has chosen none.
  await open('/chat/c_001/team', TEAM);
  // No row moves while others are being loaded.
  await button('Order by name').click();
  await expect.poll(() => placeOf(AOIFE)).toBe('1');
  await button('Collapse clients').click();
  const card = user.page().locator('body > [aria-hidden]').filter({ hasText: AOIFE });
  // The card loads after the content.
  const point = async (): Promise<string> => {
    await room.composer.hover();
    await shell.client(AOIFE).hover();
    return (await card.allInnerTexts()).join();
  };
  await expect.poll(point).toMatch(/^Aoife O'Sullivan\n(?:Leila|Jonas|You): /);
  // The row stays where it is, and the pointer on it.
  const client = await openClient('c_003', 'general');
  for (const text of ['Shown under the pointer', 'And this, too']) {
    client.write(text);
    await expect.poll(async () => (await card.allInnerTexts()).join()).toContain(text);
  }
  await room.composer.hover();
  await expect.poll(() => card.count()).toBe(0);
  await button('Expand clients').focus();
  for (let n = Number(await placeOf(AOIFE)); n > 0; n -= 1) await user.page().keyboard.press('Tab');
  await expect.poll(() => card.count()).toBe(1);
});
