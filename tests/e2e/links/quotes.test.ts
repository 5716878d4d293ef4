import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createUser, DESKTOP, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { allowCopying, copyLink } from '#tests/support/page/message-menu.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { moveToNoon } from '#tests/support/page/session.ts';
import { openConnected } from '#tests/support/page/shell.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** 140 messages. */
const LONG = '/chat/c_001/team';
const SOURCE = '/chat/c_001/general';
const TARGET = '/chat/c_002/general';
const QUOTE = /^Quote: /;

let server: ServerProcess;
let user: User;
let room: RoomPage;
/** A colleague, directly at the server. */
let colleague: RealtimeClient;

const toChannel = (path: string): string => path.slice(1).replaceAll('/', '.');
/** Writes to a room; returns the address of the message. */
const write = async (path: string, text: string): Promise<string> => {
  const answer = await colleague.publish(toChannel(path), toMessage(text));
  expect(answer.status).toBe(200);
  return `${server.address}${path}?m=${String(answer.json()['timetoken'])}`;
};

beforeAll(async () => {
  server = await startServer();
  const tokens = createTestTokens(server.dataFolder);
  colleague = createRealtimeClient(Number(new URL(server.address).port), tokens.staff('u_team'));
  user = await createUser(server);
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await user.startOver();
  room = toRoomPage(user.page());
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const open = async (path: string): Promise<void> => {
  await user.visit(path);
  await room.region.locator('[data-message-id]').first().waitFor();
};
const quotesIn = (message: Locator): Locator => message.getByRole('link', { name: QUOTE });
const expectAtEnd = async (thread: RoomPage): Promise<void> =>
  expect(Math.abs(await toRestingEnd(thread.region))).toBeLessThanOrEqual(1);

const expectOpenAt = async (text: string, thread = room): Promise<void> => {
  const marked = thread.region.locator('[data-message-id][aria-current="true"]');
  await marked.waitFor();
  expect(await marked.locator('[data-readable]').innerText()).toBe(text);
};
/** Disappears with a reload. */
const markPage = (): Promise<void> =>
  user.page().evaluate(() => void Object.assign(globalThis, { isSamePage: true }));
const isSamePage = (): Promise<boolean> => user.page().evaluate(() => 'isSamePage' in globalThis);

test('a link from the message menu shows as a quote, which opens the message', async () => {
  await moveToNoon(user.page());
  await write(SOURCE, 'The cup final is cut.\nIt is on the server.');
  await user.signIn(PRODUCER, SOURCE);
  await allowCopying(user.page());
  await copyLink(room.message('The cup final is cut.'));
  await open(TARGET);
  await markPage();
  await room.composer.pressSequentially('See ');
  await room.composer.press('Control+V');
  await expect.poll(() => room.composer.inputValue()).toContain('?m=');
  await room.composer.press('Enter');
  const message = room.message('See http');
  const quote = quotesIn(message);
  // The name arrives with the list of staff.
  await expect
    .poll(() => quote.getAttribute('aria-label'))
    .toMatch(
      /^Quote: Leila Haddad, Today at \d+:\d\d [AP]M: The cup final is cut\. It is on the server\.$/,
    );
  expect(await quote.getAttribute('aria-description')).toBe('Maya Okafor · General');
  expect(await message.getByRole('link').count()).toBe(2);
  await expectAtEnd(room);
  await quote.press('Enter');
  await expectOpenAt('The cup final is cut.\nIt is on the server.');
  await user.page().goBack();
  await quote.click();
  await expectOpenAt('The cup final is cut.\nIt is on the server.');
  expect(await isSamePage()).toBe(true);
  expect(user.page().context().pages()).toHaveLength(1);
});

test('a link stays plain until its message is on this device; the thread stays at its end', async () => {
  const entries = await colleague.history({ channel: toChannel(LONG), count: '100' });
  const [first] = entries;
  const far = `${LONG}?m=${first?.timetoken}`;
  await write(TARGET, `Do you remember ${server.address}${far}`);
  await user.signIn(PRODUCER, TARGET);
  const message = room.message('Do you remember');
  await message.getByRole('link').waitFor();
  // The menu loads with the quotes.
  await message.getByRole('button', { name: 'Message actions' }).waitFor({ state: 'attached' });
  expect(await quotesIn(message).count()).toBe(0);
  await expectAtEnd(room);
  const tab = await user.openTab();
  await user.visit(far);
  await expectOpenAt(first?.message.text ?? '', toRoomPage(tab));
  await quotesIn(message).waitFor();
  await room.region.page().bringToFront();
  await expectAtEnd(room);
  await tab.close();
});

test('only messages of this installation are quoted, at most three, and never within a quote', async () => {
  const links: string[] = [];
  for (const text of ['One', 'Two', 'Three', 'Four']) links.push(await write(SOURCE, text));
  const [link = ''] = links;
  const [, at = ''] = link.split('=');
  const nested = await write(SOURCE, `Nested ${link}`);
  const unquoted = [
    link.replace('localhost', 'other.localhost'),
    link.replace('http:', 'https:'),
    link.replace(at, '99999999999999999'),
    link.replace(at, '00000000000000000'),
    link.replace(at, `${at}0`),
    link.replace(at, '1e16'),
    link.replace('c_001', 'nobody'),
    link.replace('c_001', '__proto__'),
    link.replace('general', 'private'),
  ];
  for (const text of unquoted) await write(TARGET, `Not quoted ${text}`);
  await write(TARGET, `Quartet ${links.join(' ')} ${link}`);
  await write(TARGET, `Outer ${nested}`);
  await user.signIn(PRODUCER, TARGET);
  await expect.poll(() => quotesIn(room.message('Quartet http')).count()).toBe(3);
  await expect.poll(() => quotesIn(room.message('Outer http')).count()).toBe(1);
  expect(await quotesIn(room.message('Outer http')).getByRole('link').count()).toBe(0);
  expect(await quotesIn(room.message('Not quoted http')).count()).toBe(0);
  expect(await room.message('Not quoted http').getByRole('link').count()).toBe(unquoted.length);
});

/** Key and position of the message in the middle of the thread. */
const toMiddle = async (): Promise<{ readonly id: string; readonly y: number }> =>
  room.region.evaluate((region) => {
    const frame = region.getBoundingClientRect();
    const rows = [...region.querySelectorAll<HTMLElement>('[data-message-id]')];
    const row = rows.find(
      (each) => each.getBoundingClientRect().bottom > frame.top + frame.height / 2,
    );
    return { id: row?.dataset['messageId'] ?? '', y: row?.getBoundingClientRect().y ?? 0 };
  });

test('quotes that load above do not move the rows while the user scrolls up', async () => {
  const path = '/chat/c_003/general';
  for (let n = 0; n < 25; n += 1) {
    const link = await write(SOURCE, `Number ${n}`);
    await write(path, `Peek at ${link}`);
  }
  await user.signIn(PRODUCER, path);
  await quotesIn(room.message('Peek at')).last().waitFor();
  await user.page().setViewportSize({ ...DESKTOP, height: 460 });
  await openConnected(user.page(), () => user.page().reload());
  await quotesIn(room.message('Peek at')).last().waitFor();
  await expectAtEnd(room);
  const { x = 0, y = 0, width = 0, height = 0 } = (await room.region.boundingBox()) ?? {};
  await user.page().mouse.move(x + width / 2, y + height / 2);
  const moves: number[] = [];
  for (let step = 0; step < 12; step += 1) {
    const before = await toMiddle();
    await user.page().mouse.wheel(0, -100);
    await waitFor('the scroll', async () => {
      const { id, y } = await toMiddle();
      return id !== before.id || y !== before.y;
    });
    await toRestingEnd(room.region);
    const box = await room.region.locator(`[data-message-id="${before.id}"]`).boundingBox();
    moves.push(Math.round((box?.y ?? Infinity) - before.y));
  }
  expect(moves).toEqual(moves.map(() => 100));
});
