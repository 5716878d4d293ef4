import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page-room.ts';
import { type ServerProcess, startServer } from '#tests/support/server-process.ts';
import { createUser, DESKTOP, PRODUCER, type User } from '#tests/support/user.ts';

const ROOM = '/chat/c_001/general';
/** Spec §9, and what a busy machine adds. */
const TOAST_MS = 5000;
const SLACK_MS = 1500;

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  user = await createUser(server);
  room = toRoomPage(user.page());
  user.problems.allow(/400/);
  await user.signIn(PRODUCER, ROOM);
  await room.composer.waitFor();
  await user.page().context().grantPermissions(['clipboard-write'], { origin: server.address });
  await user
    .page()
    .route(
      '**/api/realtime/publish',
      (route) => route.fulfill({ status: 400, contentType: 'application/json', body: '{}' }),
      { times: 1 },
    );
  await room.send('Nobody takes this one.');
});
afterEach(async () => {
  const problems = user.problems.take();
  await user.dispose();
  expect(problems).toEqual([]);
});

const errorToast = () =>
  user.page().getByRole('alert').filter({ hasText: 'An error occured sending your message!' });

test('an error toast stands at the top, can be closed, and goes by itself after 5 s', async () => {
  await errorToast().waitFor();
  const from = Date.now();
  const box = await errorToast().boundingBox();
  expect((box?.y ?? DESKTOP.height) + (box?.height ?? 0)).toBeLessThan(DESKTOP.height / 4);
  await errorToast().getByRole('button', { name: 'Close' }).waitFor();
  await errorToast().waitFor({ state: 'detached' });
  expect(Date.now() - from).toBeGreaterThan(TOAST_MS - SLACK_MS);
  expect(Date.now() - from).toBeLessThan(TOAST_MS + SLACK_MS);
});

test('any other toast stands at the bottom for 5 s', async () => {
  await room.message('Nobody takes this one.').getByRole('button', { name: 'Copy' }).click();
  const toast = user.page().getByRole('status').filter({ hasText: 'Copied.' });
  await toast.waitFor();
  const from = Date.now();
  const box = await toast.boundingBox();
  expect(box?.y).toBeGreaterThan(DESKTOP.height * 0.75);
  await toast.waitFor({ state: 'detached' });
  expect(Math.abs(Date.now() - from - TOAST_MS)).toBeLessThan(SLACK_MS);
});
