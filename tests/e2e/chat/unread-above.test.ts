import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';
import { listUnreadRooms, waitForReading } from '#tests/support/page/unread.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const ELSEWHERE = '/chat/c_001/team';
const LINES = Array.from({ length: 300 }, (_, line) => `Line ${line + 1} of 300.`);

let backend: FaultyServer;
let user: User;
let room: RoomPage;
/** The rooms in which messages were written. */
const written = new Set<string>();

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
  room = toRoomPage(user.page());
  await user.signIn(PRODUCER, ELSEWHERE);
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
beforeEach(async () => {
  await user.visit(ELSEWHERE);
  // Messages written before the first connection of a page count as read.
  await waitForReading(user.page(), PRODUCER.uid);
});
// Each test reads everything in its own room; the next one begins once that is stored.
afterEach(async () => {
  await expect.poll(() => listUnreadRooms(user.page(), PRODUCER.uid, written)).toEqual([]);
  expect(user.problems.take()).toEqual([]);
});

const title = () => user.page().title();
const pill = (count: number) =>
  user.page().getByRole('button', { name: new RegExp(`^${count} new since `) });
const separator = () => room.region.getByRole('separator', { name: 'New messages' });

/** Messages arrive in a room that is not open, and are stored on this device. */
const receive = async (roomPath: string, texts: readonly string[]): Promise<void> => {
  written.add(roomPath);
  await backend.write(`chat.${roomPath.replace('/', '.')}`, texts);
  await expect.poll(title).toMatch(new RegExp(`^\\(${texts.length}\\) `));
  await user.visit(`/chat/${roomPath}`);
  await room
    .message(texts.at(-1)?.split('\n').at(-1) ?? '')
    .last()
    .waitFor();
};
const isInSight = async (target: ReturnType<RoomPage['message']>): Promise<boolean> => {
  if ((await target.count()) === 0) return false;
  const [item, frame] = [await target.boundingBox(), await room.region.boundingBox()];
  return Boolean(item && frame && item.y >= frame.y && item.y < frame.y + frame.height);
};
const readScroll = () =>
  room.region.evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
    top: scrollTop,
    isAtStart: scrollTop <= 0,
    isAtEnd: scrollTop + clientHeight >= scrollHeight - 1,
  }));
/** Scrolls the thread with the wheel until a condition holds. */
const wheelUntil = async (step: number, check: () => Promise<boolean>): Promise<void> => {
  await room.region.hover();
  await expect
    .poll(async () => {
      const before = await readScroll();
      await user.page().mouse.wheel(0, step);
      // One at a time: a busy browser would queue them and pass messages without showing them.
      await waitFor('the wheel', async () => {
        const { top, isAtStart, isAtEnd } = await readScroll();
        return top !== before.top || (step < 0 ? isAtStart : isAtEnd);
      });
      await toRestingEnd(room.region);
      return check();
    })
    .toBe(true);
};

test('more than a screen of new messages opens at the end, offers a jump, and is read when visible', async () => {
  const texts = Array.from(
    { length: 40 },
    (_, n) => `News number ${n + 1} of 40.\nThe cut is up.\nHave a look.`,
  );
  await receive('c_002/team', texts);
  expect(Math.abs(await toRestingEnd(room.region))).toBeLessThanOrEqual(1);
  await pill(40).waitFor();
  await expect.poll(title).toMatch(/^\(40\) /);
  // The first of them is beyond the loaded page.
  expect(await room.message('News number 1 of 40.').count()).toBe(0);
  await pill(40).click();
  await expect.poll(() => isInSight(room.message('News number 1 of 40.'))).toBe(true);
  await expect.poll(() => isInSight(separator())).toBe(true);
  await expect
    .poll(() =>
      user
        .page()
        .getByRole('button', { name: / new since / })
        .count(),
    )
    .toBe(0);
  await expect.poll(title).toMatch(/^\([1-3]\d\) /);
  await wheelUntil(200, async () => !(await title()).startsWith('('));
  expect(
    await user
      .page()
      .getByRole('button', { name: / new since / })
      .count(),
  ).toBe(0);
});

test('the jump leaves the focus in the message field of a user who goes on to write', async () => {
  const texts = Array.from({ length: 40 }, (_, n) => `Scene ${n + 1} of 40.\nHave a look.`);
  await receive('c_007/team', texts);
  await pill(40).waitFor();
  await expect.poll(title).toMatch(/^\(40\) /);
  await user.page().evaluate(() => {
    const buttons = [...document.querySelectorAll('button')];
    buttons.find(({ textContent }) => textContent.includes(' new since '))?.click();
    // Before the older messages are there.
    document.querySelector('textarea')?.focus();
  });
  await expect.poll(() => isInSight(room.message('Scene 1 of 40.'))).toBe(true);
  await room.composer.and(user.page().locator(':focus')).waitFor();
  await wheelUntil(200, async () => !(await title()).startsWith('('));
});

test('the jump comes back after leaving for the end with messages still unread above', async () => {
  const texts = Array.from(
    { length: 24 },
    (_, n) => `Take ${n + 1} of 24.\nThe cut is up.\nHave a look.`,
  );
  await receive('c_006/team', texts);
  await toRestingEnd(room.region);
  await pill(24).waitFor();
  await expect.poll(title).toMatch(/^\(24\) /);
  await pill(24).click();
  await expect.poll(() => isInSight(separator())).toBe(true);
  await expect.poll(() => pill(24).count()).toBe(0);
  await expect.poll(title).toMatch(/^\((?:\d|1\d)\) /);
  await user.page().getByRole('button', { name: 'Latest messages' }).click();
  await expect.poll(() => isInSight(room.message('Take 24 of 24.'))).toBe(true);
  await toRestingEnd(room.region);
  const again = user.page().getByRole('button', { name: / new since / });
  await expect.poll(() => again.count()).toBe(1);
  // Some of them have been read; it counts the others, and leads to the first of those.
  await expect
    .poll(async () => (await title()).startsWith(`(${parseInt(await again.innerText(), 10)}) `))
    .toBe(true);
  await again.click();
  await expect.poll(() => again.count()).toBe(0);
  await wheelUntil(200, async () => !(await title()).startsWith('('));
});

test('reading upwards from the end also clears it', async () => {
  const texts = Array.from({ length: 24 }, (_, n) => `Clip ${n + 1} of 24 is up.\nHave a look.`);
  await receive('c_003/team', texts);
  await pill(24).waitFor();
  await expect.poll(title).toMatch(/^\(24\) /);
  await wheelUntil(-200, () => isInSight(room.message('Clip 1 of 24 is up.')));
  await expect.poll(() => pill(24).count()).toBe(0);
  await expect.poll(title).not.toMatch(/^\(/);
});

test('a message longer than the screen is read once its beginning was visible', async () => {
  await receive('c_004/team', [LINES.join('\n')]);
  expect(Math.abs(await toRestingEnd(room.region))).toBeLessThanOrEqual(1);
  await pill(1).waitFor();
  await expect.poll(title).toMatch(/^\(1\) /);
  await pill(1).click();
  await expect.poll(() => isInSight(separator())).toBe(true);
  await expect.poll(() => pill(1).count()).toBe(0);
  await expect.poll(title).not.toMatch(/^\(/);
});

test('messages can be marked as read without reading them', async () => {
  const texts = Array.from({ length: 40 }, (_, n) => `Chatter ${n + 1} of 40.`);
  await receive('c_005/team', texts);
  await pill(40).waitFor();
  await user.page().getByRole('button', { name: 'Mark as read' }).click();
  await expect.poll(title).not.toMatch(/^\(/);
  await expect.poll(() => pill(40).count()).toBe(0);
});
