import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page-room.ts';
import { type ServerProcess, startServer } from '#tests/support/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/user.ts';

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER, '/chat');
  room = toRoomPage(user.page());
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const open = async (path: string): Promise<void> => {
  await user.visit(path);
  await room.region.locator('[data-message-id]').first().waitFor();
};

/** Where a message stands on the screen, from the top of the window. */
const topOf = async (id: string): Promise<number> => {
  const box = await room.region.locator(`[data-message-id="${id}"]`).boundingBox();
  if (!box) throw new Error(`message ${id} is not on the screen`);
  return box.y;
};

test('140 messages are read back page by page, each once and in order', async () => {
  await open('/chat/c_001/team');
  const sizes: number[] = [(await room.readAll()).length];
  while (await room.fetchMore.isVisible()) {
    const before = sizes.at(-1) ?? 0;
    await room.fetchMore.click();
    await expect.poll(async () => (await room.readAll()).length).toBeGreaterThan(before);
    sizes.push((await room.readAll()).length);
  }
  expect(sizes).toEqual([25, 50, 75, 100, 125, 140]);
  const ids = (await room.readAll()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(140);
  expect(await room.fetchMore.count()).toBe(0);
});

test('the place is kept while older messages come in above', async () => {
  await open('/chat/c_001/general');
  await room.readAll();
  await room.fetchMore.scrollIntoViewIfNeeded();
  const first = room.region.locator('[data-message-id]').first();
  const id = await first.getAttribute('data-message-id');
  const before = await topOf(id ?? '');
  await room.fetchMore.click();
  await expect.poll(async () => (await room.textsInSight()).length).toBeGreaterThan(0);
  await expect
    .poll(() => room.region.locator('[data-message-id]').first().getAttribute('data-message-id'))
    .not.toBe(id);
  expect(Math.abs((await topOf(id ?? '')) - before)).toBeLessThanOrEqual(1);
});

test('a room of 26 has one page more, then none', async () => {
  await open('/chat/c_001/producers');
  expect(await room.readAll()).toHaveLength(25);
  await room.fetchMore.click();
  await expect.poll(async () => (await room.readAll()).length).toBe(26);
  await expect.poll(() => room.fetchMore.count()).toBe(0);
});

test('a room opens at its newest message and returns there on an own message', async () => {
  await open('/chat/c_001/team');
  const newest = (await room.readAll()).at(-1)?.id ?? '';
  await open('/chat/c_001/team');
  const last = room.region.locator(`[data-message-id="${newest}"]`);
  await expect.poll(() => isInSight(last)).toBe(true);

  await room.readAll();
  await room.region.locator('[data-message-id]').first().scrollIntoViewIfNeeded();
  await room.send('Back at the end.');
  await expect.poll(() => isInSight(room.message('Back at the end.'))).toBe(true);
});

const isInSight = async (locator: ReturnType<RoomPage['message']>): Promise<boolean> => {
  const [item, frame] = [await locator.boundingBox(), await room.region.boundingBox()];
  return Boolean(item && frame && item.y >= frame.y && item.y < frame.y + frame.height);
};

test('messages carry times, and days are told apart', async () => {
  await open('/chat/c_001/team');
  const text = await room.region.innerText();
  expect(text).toMatch(/\d{1,2}:\d{2} (AM|PM)/i);
});

test('a conversation opens from this device before the server answers', async () => {
  await open('/chat/c_001/team');
  const known = (await room.readAll()).length;
  await user.page().route('**/api/realtime/**', () => undefined);
  await user.page().reload();
  await room.region.locator('[data-message-id]').first().waitFor();
  expect((await room.readAll()).length).toBeGreaterThanOrEqual(Math.min(25, known));
  await user.page().unroute('**/api/realtime/**');
});
