import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { fromEpochMs } from '#domain/timetoken.ts';
import {
  ODD_MESSAGES,
  TEXTLESS_MESSAGES,
  WRONG_ENTRIES,
  WRONG_EVENTS,
} from '#tests/support/hostile-payloads.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import type { Entry } from '#tests/support/server/realtime-client.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/team';
const CHANNEL = 'chat.c_001.team';
const MESSAGES = [...TEXTLESS_MESSAGES, ...ODD_MESSAGES];
const UNREADABLE = "This message can't be shown here.";

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  room = toRoomPage(user.page());
});
afterAll(async () => {
  const problems = user.problems.take();
  await user.dispose();
  await server.dispose();
  expect(problems).toEqual([]);
});

const toEntryJson = (timetoken: string, message: string): string =>
  `{"channel":"${CHANNEL}","timetoken":"${timetoken}","publisher":"u_other","message":${message}}`;

/**
 * Adds every hostile payload after the newest entry, each followed by an entry of another shape.
 */
const addHostile = (entries: readonly Entry[]): string => {
  const newest = BigInt(entries.at(-1)?.timetoken ?? 0);
  const hostile = MESSAGES.flatMap((message, index) => [
    toEntryJson(String(newest + BigInt(index + 1)), message),
    JSON.stringify(WRONG_ENTRIES[index % WRONG_ENTRIES.length]),
  ]);
  return [...entries.map((entry) => JSON.stringify(entry)), ...hostile].join(',');
};

test('a history full of hostile payloads shows every readable message', async () => {
  const addOnce = async (route: Route): Promise<void> => {
    const url = new URL(route.request().url());
    const answer = await route.fetch();
    const { entries, more } = (await answer.json()) as { entries: Entry[]; more: boolean };
    const isFirst = url.searchParams.get('channel') === CHANNEL && !url.searchParams.has('before');
    if (!isFirst) return route.fulfill({ response: answer });
    const body = `{"entries":[${addHostile(entries)}],"more":${more}}`;
    return route.fulfill({ status: 200, contentType: 'application/json', body });
  };
  await user.page().route('**/api/realtime/history?**', addOnce);
  await user.signIn(PRODUCER, ROOM);
  await room.region.locator('[data-message-id]').first().waitFor();
  const readTexts = async () => (await room.readAll()).map(({ text }) => text);
  const countUnreadable = async () =>
    (await readTexts()).filter((text) => text.includes(UNREADABLE)).length;
  await expect.poll(countUnreadable).toBe(TEXTLESS_MESSAGES.length);
  const texts = await readTexts();
  expect(texts.some((text) => text.includes('a bare text'))).toBe(true);
  expect(texts.some((text) => text.includes('of no time') || text.includes('of nobody'))).toBe(
    false,
  );
  expect(texts.join()).not.toMatch(/NaN|1970|Invalid Date/);
  expect(await user.page().evaluate(() => 'hit' in globalThis)).toBe(false);
});

test('a stream of hostile events delivers the others, and continues', async () => {
  const now = BigInt(fromEpochMs(Date.now()));
  const events = [
    ...WRONG_EVENTS,
    ['entries', `{"entries":[${toEntryJson(String(now), '{"text":"between the broken"}')}]}`],
    ...WRONG_EVENTS,
    ...MESSAGES.map((message, index) => [
      'entries',
      `{"entries":[${toEntryJson(String(now + BigInt(index + 1)), message)}]}`,
    ]),
    ['entries', `{"entries":[${toEntryJson(String(now + 1000n), '{"text":"after them all"}')}]}`],
    ['beat', `{"cursor":"${String(now + 1001n)}"}`],
  ].map(([event, data]) => `event: ${event}\ndata: ${data}\n\n`);
  const once = { times: 1 };
  await user
    .page()
    .route(
      '**/api/realtime/stream**',
      (route) => route.fulfill({ contentType: 'text/event-stream', body: events.join('') }),
      once,
    );
  await user.visit(ROOM);
  await room.message('after them all').waitFor();
  const readTexts = async () => (await room.readAll()).map(({ text }) => text).join();
  await expect.poll(readTexts).toContain('between the broken');
  await room.send('the desk goes on');
  const own = room.message('the desk goes on');
  await expect.poll(() => own.getAttribute('data-state')).toBe('sent');
});
