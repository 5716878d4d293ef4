import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { STAFF_CHANNEL } from '#domain/schemas/mark-log.ts';
import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type HostedScene, startHostedScene } from '#tests/support/scenes/hosted-scene.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const QUESTION = 'Who reads this first?';

let scene: HostedScene;
/** Two devices of one user, one of another. */
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

/** The number of unread messages in the title of the browser's tab. */
const waitForUnread = (user: User, count: number): Promise<void> =>
  waitFor(`${count} unread`, async () => {
    const title = await user.page().title();
    return count === 0 ? !title.startsWith('(') : title.startsWith(`(${count}) `);
  });

test("messages read on one device are read on the user's others, but not for another user", async () => {
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

test('a room that needs no reply leaves the list of all staff', async () => {
  const text = 'Thanks, that was all!';
  const devices = [desk, phone, colleague];
  const needsReply = (user: User) =>
    user.page().getByRole('region', { name: 'Needs reply', exact: true });
  const entry = (user: User) => needsReply(user).getByRole('link').filter({ hasText: text });
  for (const user of devices) await user.visit('/');
  scene.write('chat.c_003.general', [{ text }], 'client:c_003');
  for (const user of devices) await entry(user).waitFor();
  await needsReply(desk)
    .getByRole('button', { name: "Done in Aoife O'Sullivan · General" })
    .click();
  for (const user of devices) await entry(user).waitFor({ state: 'detached' });
  const written = scene.endpoint.log.findIn(STAFF_CHANNEL);
  expect(written.map(({ publisher }) => publisher)).toEqual([PRODUCER.uid]);
});

test("a choice made on one device applies on the user's others, but not for another user", async () => {
  const button = (user: User, name: string) => user.page().getByRole('button', { name });
  for (const user of [desk, phone, colleague]) {
    await user.visit('/chat/c_001/general');
    await button(user, 'Expand clients').click();
  }
  await button(desk, 'Order by name').click();
  await button(phone, 'Order by last activity').waitFor();
  expect(await button(colleague, 'Order by last activity').count()).toBe(0);
  const written = scene.endpoint.log.findIn(`own.${PRODUCER.uid}`);
  const orders = written.filter(({ message }) => JSON.stringify(message).includes('setting:order'));
  expect(orders).toHaveLength(1);
});
