import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';
const WRITTEN = ['offline note 1', 'offline note 2', 'offline note 3'];

let server: ServerProcess;
let anna: User;
let ben: User;
let bensRoom: RoomPage;

const annasRoom = (): RoomPage => toRoomPage(anna.page());
const annasStatus = (): Promise<string> => toShellPage(anna.page()).connection.innerText();

beforeAll(async () => {
  server = await startServer();
  anna = await createUser(server, 'whole');
  ben = await createUser(server);
  anna.problems.allow(NETWORK_AWAY);
  await Promise.all([anna.signIn(PRODUCER, ROOM), ben.signIn(TEAM, ROOM)]);
  bensRoom = toRoomPage(ben.page());
  await annasRoom().region.locator('[data-message-id]').first().waitFor();
  await anna.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
});
afterAll(async () => {
  await Promise.all([anna.dispose(), ben.dispose()]);
  await server.dispose();
});
afterEach(() => {
  expect([...anna.problems.take(), ...ben.problems.take()]).toEqual([]);
});

/** The count of each written text in a thread, in the order of the thread. */
const listWritten = async (room: RoomPage, texts: readonly string[]): Promise<readonly string[]> =>
  (await room.readAll()).flatMap(({ text }) => texts.filter((written) => text.includes(written)));

test('going offline is reported, and the conversation stays readable after a reload', async () => {
  const before = (await annasRoom().readAll()).map(({ id }) => id);
  await anna.goOffline();
  await expect.poll(annasStatus).toMatch(/^Offline/);
  await anna.page().reload();
  await annasRoom().region.locator('[data-message-id]').first().waitFor();
  expect((await annasRoom().readAll()).map(({ id }) => id)).toEqual(before);
  await expect.poll(annasStatus).toMatch(/^Offline/);
});

test('messages written offline are shown as queued', async () => {
  for (const text of WRITTEN) await annasRoom().send(text);
  for (const text of WRITTEN) {
    const message = annasRoom().message(text);
    await expect.poll(() => message.getAttribute('data-state')).toBe('queued');
  }
  expect(await annasRoom().visibleTexts()).not.toContainEqual(expect.stringContaining('Failed'));
});

test('the browser is closed, opens offline with everything, and sends once it is online', async () => {
  const texts = [...WRITTEN, 'the first words of an offline start'];
  const last = texts.at(-1) ?? '';
  await anna.closeBrowser();
  await bensRoom.send('Anna, are you there?');
  await anna.openBrowser({ offline: true });
  await anna.visit(ROOM);
  await annasRoom().send(last);
  await expect.poll(() => annasRoom().message(last).getAttribute('data-state')).toBe('queued');
  expect(await listWritten(annasRoom(), texts)).toEqual(texts);
  await expect.poll(annasStatus).toMatch(/^Offline/);

  await anna.goOnline();
  await bensRoom.message(last).waitFor();
  expect(await listWritten(bensRoom, texts)).toEqual(texts);
  await annasRoom().message('Anna, are you there?').waitFor();
  await expect.poll(() => annasRoom().message(last).getAttribute('data-state')).toBe('sent');
  expect(await listWritten(annasRoom(), texts)).toEqual(texts);
  await expect.poll(annasStatus).toMatch(/^(Online)?$/);
});

test('a browser killed right after Enter loses nothing accepted', async () => {
  const texts = ['last words 1', 'last words 2'];
  await anna.goOffline();
  await expect.poll(annasStatus).toMatch(/^Offline/);
  for (const text of texts) await annasRoom().send(text);
  await anna.killBrowser();

  await anna.openBrowser();
  await anna.visit(ROOM);
  await bensRoom.message('last words 2').waitFor();
  expect(await listWritten(bensRoom, texts)).toEqual(texts);
  await annasRoom().message('last words 2').waitFor();
  expect(await listWritten(annasRoom(), texts)).toEqual(texts);
});

test('every page of the app opens without a network', async () => {
  await anna.goOffline();
  await anna.visit('/videos');
  await anna.page().getByRole('heading', { name: 'Videos' }).waitFor();
  await anna.visit('/chat');
  await expect.poll(() => toShellPage(anna.page()).client('Maya Okafor').count()).toBe(1);
  await anna.goOnline();
});
