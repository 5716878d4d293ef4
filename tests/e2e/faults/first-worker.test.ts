import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { createUser, type User, waitForWorker } from '#tests/support/browser/user.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';

let backend: FaultyServer;
let user: User;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test('a first visit on a failing network becomes usable offline without another visit', async () => {
  // Only the worker fetches this file: the page itself was loaded as /login.
  const SHELL = /^\/index\.html/;
  user.problems.allow(NETWORK_AWAY);
  user.problems.allow(/Failed to load resource/);
  backend.proxy.break(SHELL, { kind: 'status', status: 502 }, 1);
  await user.visit('/login');
  await waitForWorker(user.page());
  expect(backend.proxy.requests.filter(({ path }) => SHELL.test(path))).toHaveLength(2);
  await user.goOffline();
  await user.visit('/login');
  await user.page().getByRole('button', { name: 'Sign In' }).waitFor();
});
