import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type HostedScene, startHostedScene } from '#tests/support/scenes/hosted-scene.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const QUESTION = 'Who reads this first?';

let scene: HostedScene;
/** Two devices of one person, one of another. */
let desk: User;
let phone: User;
let colleague: User;

/** A device whose stream is open, so that later messages are unread. */
const openDevice = async (account: typeof PRODUCER): Promise<User> => {
  const user = await createUser(scene.server);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(account, '/chat/c_001/general');
  await toRoomPage(user.page()).message('The first line.').waitFor();
  return user;
};

beforeAll(async () => {
  scene = await startHostedScene();
  scene.write('chat.c_001.general', [{ text: 'The first line.' }]);
  desk = await openDevice(PRODUCER);
  phone = await openDevice(PRODUCER);
  colleague = await openDevice(TEAM);
  await waitFor('three polls', () => scene.endpoint.log.waiting === 3);
});
afterAll(async () => {
  for (const user of [desk, phone, colleague]) await user.dispose();
  await scene.dispose();
});
afterEach(() => {
  for (const user of [desk, phone, colleague]) expect(user.problems.take()).toEqual([]);
});

/** What the title of the browser's tab counts as unread. */
const waitForUnread = (user: User, count: number): Promise<void> =>
  waitFor(`${count} unread`, async () => {
    const title = await user.page().title();
    return count === 0 ? !title.startsWith('(') : title.startsWith(`(${count}) `);
  });

test('what is read on one device is read on the others, and for nobody else', async () => {
  scene.write('chat.c_003.general', [{ text: QUESTION }], 'client:c_003');
  await Promise.all([desk, phone, colleague].map((user) => waitForUnread(user, 1)));
  await desk.visit('/chat/c_003/general');
  await toRoomPage(desk.page()).message(QUESTION).waitFor();
  await waitForUnread(desk, 0);
  await waitForUnread(phone, 0);
  await waitForUnread(colleague, 1);
  const written = scene.endpoint.log.findIn(`own.${PRODUCER.uid}`);
  expect(new Set(written.map(({ publisher }) => publisher))).toEqual(new Set([PRODUCER.uid]));
});
