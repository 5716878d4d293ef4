import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type ServerProcess, startServer } from '#tests/support/server-process.ts';
import { createUser, type User } from '#tests/support/user.ts';

let server: ServerProcess;
let user: User;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.visit('/login');
  await user.page().evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

test('the browser finds nothing in the way of installing it', async () => {
  const session = await user.page().context().newCDPSession(user.page());
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
  const { errors, data } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(JSON.parse(data ?? '')).toMatchObject({
    name: expect.stringContaining('Replay Desk'),
    display: 'standalone',
    icons: expect.arrayContaining([expect.objectContaining({ purpose: 'maskable' })]),
    shortcuts: [{ url: '/chat' }, { url: '/' }],
  });
});
