import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { toRoomPage } from '#tests/support/page/room.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, TEAM, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/general';
const TABS = 8;

let server: ServerProcess;
let anna: User;
let ben: User;
let first: Page;
let second: Page;
/** The tab of every stream that was opened. */
const streams: Page[] = [];

const watch = (page: Page): void => {
  page.on('request', (request) => {
    if (request.url().includes('/api/realtime/stream')) streams.push(page);
  });
};

beforeAll(async () => {
  server = await startServer();
  anna = await createUser(server);
  ben = await createUser(server);
  first = anna.page();
  watch(first);
  await Promise.all([anna.signIn(PRODUCER, ROOM), ben.signIn(TEAM, ROOM)]);
  await toRoomPage(first).region.locator('[data-message-id]').first().waitFor();
  second = await anna.openTab();
  watch(second);
  await anna.visit(ROOM);
  await toRoomPage(second).region.locator('[data-message-id]').first().waitFor();
});
afterAll(async () => {
  await Promise.all([anna.dispose(), ben.dispose()]);
  await server.dispose();
});
afterEach(() => {
  expect([...anna.problems.take(), ...ben.problems.take()]).toEqual([]);
});

test('both tabs send, and both show everything once', async () => {
  const bensRoom = toRoomPage(ben.page());
  await toRoomPage(second).send('from the second tab');
  await toRoomPage(first).send('from the first tab');
  await bensRoom.message('from the second tab').waitFor();
  await bensRoom.message('from the first tab').waitFor();
  for (const tab of [first, second]) {
    const room = toRoomPage(tab);
    for (const text of ['from the second tab', 'from the first tab']) {
      await expect.poll(() => room.message(text).getAttribute('data-state')).toBe('sent');
      expect(await room.message(text).count()).toBe(1);
    }
  }
});

test('one browser holds one stream', () => {
  expect(new Set(streams)).toEqual(new Set([first]));
});

test('eight tabs send, over a single stream', async () => {
  const others = await Promise.all(
    Array.from({ length: TABS - 2 }, async () => {
      const tab = await first.context().newPage();
      watch(tab);
      await tab.goto(`${server.address}${ROOM}`);
      return tab;
    }),
  );
  for (const [index, tab] of [first, second, ...others].entries()) {
    const text = `from tab ${index + 1} of ${TABS}`;
    await toRoomPage(tab).send(text);
    await expect.poll(() => toRoomPage(ben.page()).message(text).count()).toBe(1);
  }
  expect(new Set(streams)).toEqual(new Set([first]));
  await Promise.all(others.map((tab) => tab.close()));
});

test('the other tab takes over when the first is closed', async () => {
  await first.close();
  await toRoomPage(ben.page()).send('who is listening?');
  await toRoomPage(second).message('who is listening?').waitFor();
  await toRoomPage(second).send('the second tab is');
  await toRoomPage(ben.page()).message('the second tab is').waitFor();
  expect(new Set(streams)).toEqual(new Set([first, second]));
});
