import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { endNoLongDelay } from '#tests/support/page/long-delays.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const SESSION = '**/api/auth/session';
const ROOM = '/chat/c_001/general';

let server: ServerProcess;
let user: User;

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
  await user.signIn(PRODUCER, ROOM);
  await waitForMessages();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const waitForMessages = (): Promise<void> =>
  toRoomPage(user.page()).region.locator('[data-message-id]').first().waitFor();

/** Holds the answers to session requests until released. */
const holdSession = async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<void>();
  await user.page().route(SESSION, async (route) => {
    noteAsked();
    await released;
    await route.continue();
  });
  return { asked, release };
};

test('a stored session shows the conversation before the server answers', async () => {
  await user.page().addInitScript(endNoLongDelay);
  const { asked, release } = await holdSession();
  await user.page().reload();
  await asked;
  await waitForMessages();
  const answered = user.page().waitForResponse((one) => one.url().endsWith('/api/auth/session'));
  release();
  expect(await (await answered).json()).toMatchObject({ user: { uid: PRODUCER.uid } });
  expect(await toRoomPage(user.page()).composer.isVisible()).toBe(true);
});

test('an answer without a session closes the conversation that was open', async () => {
  user.problems.allow(/401/);
  const { release } = await holdSession();
  await user.page().context().clearCookies();
  await user.page().reload();
  await waitForMessages();
  release();
  await user.page().waitForURL((url) => url.pathname === '/login');
  const query = new URL(user.page().url()).searchParams;
  expect(query.get('error')).toBe('SessionRequired');
  expect(query.get('callbackUrl')).toBe(`${server.address}${ROOM}`);
  expect(await toRoomPage(user.page()).region.count()).toBe(0);
});
