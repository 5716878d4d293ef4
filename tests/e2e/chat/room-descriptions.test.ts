import { afterAll, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

const ROOM_DESCRIPTIONS = JSON.stringify({ team: 'Only staff read this' });

let server: ServerProcess;
let user: User;
beforeAll(async () => {
  server = await startServer({ ROOM_DESCRIPTIONS });
  user = await createUser(server);
  user.problems.allow(NETWORK_AWAY);
  await user.signIn(PRODUCER, '/chat/c_001/team');
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});

/** Whether the description is visible, and the text in the empty message field. */
const read = async () => {
  const page = user.page();
  const { composer } = toRoomPage(page);
  const line = page.getByRole('main').getByText('Only staff read this');
  await composer.waitFor();
  return [await line.isVisible(), await composer.getAttribute('placeholder')];
};
const DESCRIBED = [true, 'Message Maya · Team (Only staff read this)'];
const UNDESCRIBED = [false, 'Message Maya · General'];

test('a room shows its description, even on a phone and without a network', async () => {
  await expect.poll(read).toEqual(DESCRIBED);
  await user.page().setViewportSize({ width: 390, height: 844 });
  await expect.poll(read).toEqual(DESCRIBED);
  await server.kill();
  await user.visit('/chat/c_001/team');
  await expect.poll(read).toEqual(DESCRIBED);
  await user.visit('/chat/c_001/general');
  await expect.poll(read).toEqual(UNDESCRIBED);
  expect(user.problems.take()).toEqual([]);
});
