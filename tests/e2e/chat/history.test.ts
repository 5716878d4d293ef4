import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { openConnected } from '#tests/support/page/shell.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

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

/** Position of a message on the screen, from the top of the window. */
const topOf = async (id: string): Promise<number> => {
  const box = await room.region.locator(`[data-message-id="${id}"]`).boundingBox();
  if (!box) throw new Error(`message ${id} is not on the screen`);
  return box.y;
};

/** From now on records the position of a message in every painted frame. */
const watchPlace = (id: string): Promise<void> =>
  room.region.evaluate((region, wanted) => {
    const places: (number | undefined)[] = [];
    Object.assign(globalThis, { places });
    const look = (): void => {
      const row = region.querySelector(`[data-message-id="${wanted}"]`);
      const place = row ? Math.round(row.getBoundingClientRect().y) : undefined;
      if (places.at(-1) !== place || places.length === 0) places.push(place);
      requestAnimationFrame(() => setTimeout(look));
    };
    look();
  }, id);

/** The recorded positions in order, without repeats. */
const readPlaces = (): Promise<unknown> =>
  user.page().evaluate(() => Reflect.get(globalThis, 'places') as unknown);

test(
  '140 messages load page by page, each once and in order',
  { tags: ['S4.8', 'S9.1'] },
  async () => {
    await open('/chat/c_001/team');
    const sizes: number[] = [(await room.readAll()).length];
    // The button appears after the first messages.
    await room.fetchMore.waitFor();
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
  },
);

test('the scroll position stays while older messages load above', { tags: ['S4.11'] }, async () => {
  await openConnected(user.page(), () => open('/chat/c_001/general'));
  await room.readAll();
  await room.fetchMore.scrollIntoViewIfNeeded();
  const first = room.region.locator('[data-message-id]').first();
  const { y = 0, height = 0 } = (await room.region.boundingBox()) ?? {};
  // Until the top rows are rendered, the rows of the end remain, far below.
  await expect.poll(async () => (await first.boundingBox())?.y).toBeLessThan(y + height);
  await toRestingEnd(room.region);
  const id = await first.getAttribute('data-message-id');
  const before = await topOf(id ?? '');
  await watchPlace(id ?? '');
  await room.fetchMore.click();
  await expect.poll(() => first.getAttribute('data-message-id')).not.toBe(id);
  expect(Math.abs((await topOf(id ?? '')) - before)).toBeLessThanOrEqual(1);
  expect(await readPlaces()).toEqual([Math.round(before)]);
});

test('a room of 26 messages has one more page, then none', { tags: ['S9.1'] }, async () => {
  await open('/chat/c_001/producers');
  expect(await room.readAll()).toHaveLength(25);
  await room.fetchMore.click();
  await expect.poll(async () => (await room.readAll()).length).toBe(26);
  await expect.poll(() => room.fetchMore.count()).toBe(0);
});

test(
  'a message that the user sends scrolls the thread to its end',
  { tags: ['S4.10'] },
  async () => {
    await open('/chat/c_001/team');
    await room.readAll();
    // Until then, rows may leave the page.
    await toRestingEnd(room.region);
    await room.region.locator('[data-message-id]').first().scrollIntoViewIfNeeded();
    expect(await toRestingEnd(room.region)).toBeGreaterThan(100);
    await room.send('Back at the end.');
    await room.message('Back at the end.').waitFor();
    expect(Math.abs(await toRestingEnd(room.region))).toBeLessThanOrEqual(1);
  },
);

test('messages show times, and days are separated', async () => {
  await open('/chat/c_001/team');
  const days = new Set<string>();
  await room.fetchMore.waitFor();
  while (await room.fetchMore.isVisible()) {
    await room.fetchMore.scrollIntoViewIfNeeded();
    for (const line of await room.region.locator('[data-day]').allInnerTexts()) days.add(line);
    const before = (await room.readAll()).length;
    await room.fetchMore.click();
    await expect.poll(async () => (await room.readAll()).length).toBeGreaterThan(before);
  }
  const times = await room.region.locator('[data-message-id] time').allInnerTexts();
  expect(times.length).toBeGreaterThan(0);
  for (const time of times) expect(time).toMatch(/\d{1,2}:\d{2} (AM|PM)/i);
  expect(days.size).toBeGreaterThan(1);
  for (const day of days) {
    expect(day).toMatch(
      /^(Today|Yesterday|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \d+ \w+( 20\d\d)?)$/,
    );
  }
});

test('a conversation opens from the cache before the server answers', async () => {
  await open('/chat/c_001/team');
  const known = (await room.readAll()).length;
  await user.page().route('**/api/realtime/**', () => undefined);
  await user.page().reload();
  await room.region.locator('[data-message-id]').first().waitFor();
  expect((await room.readAll()).length).toBeGreaterThanOrEqual(Math.min(25, known));
  await user.page().unroute('**/api/realtime/**');
});
