import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { allowCopying, copyLink } from '#tests/support/page/message-menu.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import {
  createUser,
  PRODUCER,
  submitSignIn,
  TEAM,
  type User,
  waitForWorker,
} from '#tests/support/browser/user.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** 140 messages. */
const LONG = '/chat/c_001/team';
const SHORT = '/chat/c_002/general';

let server: ServerProcess;
let user: User;
let room: RoomPage;
/** The links of the first messages of both rooms, and their texts. */
let far: { readonly link: string; readonly text: string };
let near: { readonly link: string; readonly text: string };

const open = async (path: string): Promise<void> => {
  await user.visit(path);
  await room.region.locator('[data-message-id]').first().waitFor();
};
const toText = (message: Locator): Promise<string> =>
  message.locator('[data-readable]').innerText();

/** Copies the link of the room's first message. */
const copyFirst = async (path: string) => {
  await open(path);
  const start = user.page().getByText('This is the start of the conversation.');
  // The button disappears while a page of older messages arrives.
  const loadMore = () =>
    room.fetchMore.evaluateAll((buttons) => {
      for (const button of buttons) if (button instanceof HTMLElement) button.click();
    });
  await waitFor('the start of the conversation', async () => {
    await loadMore();
    return start.isVisible();
  });
  // Rows are still being loaded and measured, which moves the start.
  for (let turn = 0; turn < 2; turn += 1) {
    await start.scrollIntoViewIfNeeded();
    await toRestingEnd(room.region);
  }
  const first = room.region.locator('[data-message-id]').first();
  return { link: await copyLink(first), text: await toText(first) };
};

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(TEAM, LONG);
  await allowCopying(user.page());
  room = toRoomPage(user.page());
  far = await copyFirst(LONG);
  near = await copyFirst(SHORT);
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

const isInSight = async (target: Locator): Promise<boolean> => {
  const [item, frame] = [await target.boundingBox(), await room.region.boundingBox()];
  return Boolean(
    item && frame && item.y >= frame.y && item.y + item.height <= frame.y + frame.height,
  );
};

/** The message is shown, marked, and focused. */
const expectOpenAt = async (text: string): Promise<void> => {
  const marked = room.region.locator('[data-message-id][aria-current="true"]');
  await marked.waitFor();
  expect(await toText(marked)).toBe(text);
  await expect.poll(() => isInSight(marked)).toBe(true);
  await expect
    .poll(() => marked.evaluate((element) => element === document.activeElement))
    .toBe(true);
};
const note = (text: string) => user.page().getByRole('status').filter({ hasText: text });

test('a link opens its message far back, even after a sign-in', async () => {
  await user.visit(far.link);
  await waitForWorker(user.page());
  await submitSignIn(user.page(), PRODUCER);
  await expectOpenAt(far.text);
  expect(new URL(user.page().url()).pathname + new URL(user.page().url()).search).toBe(far.link);
  // Once more, now from this device.
  await user.page().reload();
  await expectOpenAt(far.text);
});

test('offline, a link opens its message if this device has it', async () => {
  await user.signIn(PRODUCER, LONG);
  await open(far.link);
  await expectOpenAt(far.text);
  await open(SHORT);
  await expect
    .poll(() =>
      user.page().getByText('This is the start of the conversation.').or(room.fetchMore).count(),
    )
    .toBeGreaterThan(0);
  user.problems.allow(NETWORK_AWAY);
  await user.goOffline();
  await open(far.link);
  await expectOpenAt(far.text);
  await user.startOver();
});

test('a message that is not on this device opens when the network returns', async () => {
  await user.signIn(PRODUCER, LONG);
  await room.region.locator('[data-message-id]').first().waitFor();
  user.problems.allow(NETWORK_AWAY);
  await user.goOffline();
  await user.visit(far.link);
  await note("The linked message isn't on this device").waitFor();
  await room.region.locator('[data-message-id]').first().waitFor();
  await user.goOnline();
  await expectOpenAt(far.text);
  expect(await note("The linked message isn't on this device").count()).toBe(0);
});

test('a link to no message opens the room as usual, with a notice', async () => {
  await user.signIn(PRODUCER, SHORT);
  await open(`${SHORT}?m=12.5`);
  await note("This link doesn't point to a message").waitFor();
  await user.page().getByRole('button', { name: 'Close' }).press('Enter');
  await expect.poll(() => user.page().url()).toBe(server.address + SHORT);
  await expect.poll(() => user.page().locator('main:focus, main :focus').count()).toBe(1);
  const [path, at] = near.link.split('=');
  await open(`${path}=${at?.slice(0, -1)}${at?.endsWith('0') ? 1 : 0}`);
  await note("The linked message isn't in this room.").waitFor();
  expect(await room.region.locator('[aria-current]').count()).toBe(0);
  await room.message(near.text).first().waitFor();
});

test('a link in a message opens in place', async () => {
  await user.signIn(PRODUCER, SHORT);
  await open(SHORT);
  await room.send(`Look at ${server.address}${far.link} again.`);
  await room.message('Look at').getByRole('link').first().click();
  await expectOpenAt(far.text);
  expect(user.page().context().pages()).toHaveLength(1);
});
