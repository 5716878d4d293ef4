import { DatabaseSync } from 'node:sqlite';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  room = toRoomPage(user.page());
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});

const removeClient = (id: string): void => {
  const name = readdirSync(server.dataFolder).find((file) => /\.(?:db|sqlite)$/.test(file)) ?? '';
  const database = new DatabaseSync(join(server.dataFolder, name), { timeout: 5000 });
  database.prepare('DELETE FROM client WHERE client_id = ?').run(id);
  database.close();
};

test('a message to a client who was removed is refused, and its text stays', async () => {
  await user.signIn(PRODUCER, '/chat/c_003/general');
  await room.composer.waitFor();
  await room.waitForLateParts();
  await user.goOffline();
  await room.send('Nobody will read this.');
  removeClient('c_003');
  user.problems.allow(/410/);
  await user.goOnline();
  const message = room.message('Nobody will read this.');
  await expect.poll(() => message.getAttribute('data-state')).toBe('failed');
  await expect.poll(() => message.textContent()).toContain('There is no such client.');
  expect(user.problems.take()).toEqual([]);
});
