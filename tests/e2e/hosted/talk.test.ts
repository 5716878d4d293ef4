import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type HostedScene, startHostedScene } from '#tests/support/scenes/hosted-scene.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';
import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';
const CHANNEL = 'chat.c_001.general';
/** More than the engine's queue for a stream, and not a multiple of a page. */
const MISSED = 350;
/** With a poll each, they would use six connections and hang on HTTP/1.1. */
const TABS = 8;

let scene: HostedScene;
let anna: User;
let ben: User;
let annasRoom: RoomPage;
let bensRoom: RoomPage;

beforeAll(async () => {
  scene = await startHostedScene();
  anna = await createUser(scene.server);
  ben = await createUser(scene.server);
  for (const user of [anna, ben]) user.problems.allow(NETWORK_AWAY);
  await Promise.all([anna.signIn(PRODUCER, ROOM), ben.signIn(TEAM, ROOM)]);
  annasRoom = toRoomPage(anna.page());
  bensRoom = toRoomPage(ben.page());
});
afterAll(async () => {
  await Promise.all([anna.dispose(), ben.dispose()]);
  await scene.dispose();
});
afterEach(() => {
  expect([...anna.problems.take(), ...ben.problems.take()]).toEqual([]);
});

const stateOf = (room: RoomPage, text: string) => room.message(text).getAttribute('data-state');

test('two browsers chat through the hosted engine', async () => {
  await annasRoom.send('Is the clip ready?');
  await bensRoom.message('Is the clip ready?').waitFor();
  await bensRoom.send('Uploading now.');
  await annasRoom.message('Uploading now.').waitFor();
  await expect.poll(() => stateOf(annasRoom, 'Is the clip ready?')).toBe('sent');
  expect(scene.readLog(CHANNEL)).toEqual(['Is the clip ready?', 'Uploading now.']);
  const [first] = scene.endpoint.log.findIn(CHANNEL);
  expect(first).toMatchObject({
    publisher: PRODUCER.uid,
    message: { text: 'Is the clip ready?', clientName: 'Replay Desk', clientAvatar: '' },
  });
  const { connection } = toShellPage(anna.page());
  await expect.poll(() => connection.innerText()).toMatch(/^(?:Online)?$/);
});

test('any number of tabs share one poll, and all of them send and show messages', async () => {
  const first = annasRoom;
  for (let tabs = 1; tabs < TABS; tabs += 1) {
    const tab = toRoomPage(await anna.openTab());
    await anna.visit(ROOM);
    await tab.send(`from tab ${tabs}`);
    await bensRoom.message(`from tab ${tabs}`).waitFor();
    await first.message(`from tab ${tabs}`).waitFor();
  }
  await expect.poll(() => scene.endpoint.log.waiting).toBe(2);
  annasRoom = toRoomPage(anna.page());
});

test('messages of the service’s other apps are shown', async () => {
  scene.write(CHANNEL, [
    { text: 'From the client app.', clientName: 'Maya', clientAvatar: '', mood: 'calm' },
    'A bare text.',
    { clip: 7 },
    0,
    { text: 'And one after all of them.' },
  ]);
  for (const text of ['From the client app.', 'A bare text.', 'And one after all of them.']) {
    await annasRoom.message(text).waitFor();
    await bensRoom.message(text).waitFor();
    expect(await annasRoom.message(text).getAttribute('data-own')).not.toBe('true');
  }
});

/** The name and chip above a message, as they are read out, and the initials beside them. */
const readSender = async (text: string) => {
  const row = annasRoom.message(text);
  const header = row.locator(':scope > :nth-child(2) > :first-child');
  const avatar = row.locator('[data-initials]');
  const initials = (await avatar.count()) > 0 ? await avatar.getAttribute('data-initials') : '?';
  return { header: (await header.innerText()).replaceAll(/\s+/g, ' '), initials };
};

test('staff, the client and unknown publishers are distinguished, whatever name they claim', async () => {
  const clientName = 'Leila Haddad';
  scene.write(CHANNEL, [{ text: 'From a colleague.', clientName }], TEAM.uid);
  scene.write(CHANNEL, [{ text: 'From the client.', clientName }], 'client:c_001');
  scene.write(CHANNEL, [{ text: 'From another client.', clientName }], 'client:c_002');
  scene.write(CHANNEL, [{ text: 'From an app.', clientName }]);
  await annasRoom.message('From an app.').waitFor();
  await expect
    .poll(() => readSender('From a colleague.'))
    .toEqual({ header: expect.stringMatching(/^Leila Haddad Staff /), initials: 'LH' });
  await expect
    .poll(() => readSender('From the client.'))
    .toEqual({ header: expect.stringMatching(/^Maya Okafor Client /), initials: 'MO' });
  for (const text of ['From another client.', 'From an app.']) {
    await expect
      .poll(() => readSender(text))
      .toEqual({
        header: expect.stringMatching(/^Leila Haddad Unverified Not on your staff list/),
        initials: '?',
      });
    await annasRoom.message(text).getByText('Unverified').waitFor();
  }
  await anna.page().screenshot({ path: 'shots/hosted-senders.png' });
});

test('messages written offline are sent once and in order', async () => {
  const texts = ['offline one', 'offline two', 'offline three'];
  await anna.goOffline();
  for (const text of texts) await annasRoom.send(text);
  await anna.goOnline();
  await bensRoom.message('offline three').waitFor();
  await expect.poll(() => stateOf(annasRoom, 'offline three')).toBe('sent');
  expect(scene.readLog(CHANNEL).filter((text) => text.startsWith('offline'))).toEqual(texts);
});

const toMissed = (index: number): string => `missed ${String(index).padStart(3, '0')}.`;
const ALL = Array.from({ length: MISSED }, (_, index) => toMissed(index + 1));

/** The missed messages, in the order and number shown. */
const readMissed = async (): Promise<readonly string[]> =>
  (await annasRoom.readAll()).flatMap(({ text }) => text.match(/missed \d{3}\./g) ?? []);

test('350 messages missed while offline all arrive afterwards, once and in order', async () => {
  await anna.goOffline();
  scene.write(
    CHANNEL,
    ALL.map((text) => ({ text })),
  );
  await anna.goOnline();
  await annasRoom.message(toMissed(MISSED)).waitFor();
  await expect.poll(readMissed).toEqual(ALL);
});
