import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { allowCopying } from '#tests/support/page/message-menu.ts';
import { NETWORK_AWAY } from '#tests/support/page/problems.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { openConnected, type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';
import { tap } from '#tests/support/page/touch.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

/** The part of the window above the on-screen keyboard. */
const BESIDE_KEYBOARD = { ...PHONE_DEVICE, height: 508 };

let server: ServerProcess;
let user: User;
let room: RoomPage;
let shell: ShellPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  user.problems.allow(NETWORK_AWAY);
  room = toRoomPage(user.page());
  shell = toShellPage(user.page());
  await setDevice(user.page(), PHONE_DEVICE);
  await user.signIn(PRODUCER, '/chat');
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await setDevice(user.page(), PHONE_DEVICE);
  await user.visit('/chat');
});
afterEach(() => expect(user.problems.take()).toEqual([]));

const tapInto = async (client: string, roomTitle: string): Promise<void> => {
  await tap(shell.client(client));
  await tap(shell.rooms.getByRole('link', { name: roomTitle }));
  await room.region.locator('[data-message-id]').first().waitFor();
};
const up = (place: 'rooms' | 'clients') =>
  user.page().getByRole('link', { name: `Back to ${place}` });

test('the times of a group are visible without hover, once a minute', async () => {
  await tapInto('Maya Okafor', 'Team');
  const texts = ['The first.', 'The second.', 'The third.'];
  for (const text of texts) {
    await room.composer.fill(text);
    await tap(user.page().getByRole('button', { name: 'Send' }));
    await room.message(text).waitFor();
  }
  expect(await user.page().evaluate(() => matchMedia('(hover: none)').matches)).toBe(true);
  const readTimes = () =>
    room.region.locator('time[title]').evaluateAll((found) =>
      found.map((time) => ({
        repeats: time.hasAttribute('data-repeats'),
        opacity: getComputedStyle(time).opacity,
      })),
    );
  const isRight = async (): Promise<boolean> =>
    (await readTimes()).every(({ repeats, opacity }) => opacity === (repeats ? '0' : '1'));
  expect((await readTimes()).some(({ repeats }) => !repeats)).toBe(true);
  await expect.poll(isRight).toBe(true);
});

describe('back and up', () => {
  test('back goes from a room to its rooms, then to the clients', async () => {
    await tap(shell.client('Maya Okafor'));
    const focused = user.page().locator('main').and(user.page().locator(':focus'));
    await focused.waitFor({ state: 'attached' });
    await tap(shell.rooms.getByRole('link', { name: 'Team' }));
    await room.composer.waitFor();
    await user.page().goBack();
    await expect.poll(() => user.path()).toBe('/chat/c_001');
    await shell.rooms.getByRole('link', { name: 'Team' }).waitFor();
    await expect.poll(() => shell.clients.isVisible()).toBe(false);
    await user.page().goBack();
    await expect.poll(() => user.path()).toBe('/chat');
    await shell.client('Maya Okafor').waitFor();
  });

  test('the up button equals back, so that back does not reopen a room', async () => {
    await tapInto('Maya Okafor', 'Team');
    const length = await user.page().evaluate(() => history.length);
    await tap(up('rooms'));
    await expect.poll(() => user.path()).toBe('/chat/c_001');
    await tap(up('clients'));
    await expect.poll(() => user.path()).toBe('/chat');
    await tapInto('Kenji Watanabe', 'General');
    expect(await user.page().evaluate(() => history.length)).toBe(length);
    await user.page().reload();
    await tap(up('rooms'));
    await expect.poll(() => user.path()).toBe('/chat/c_009');
    await user.page().goBack();
    await expect.poll(() => user.path()).toBe('/chat');
  });

  test('up from a directly opened room goes to its rooms, and back leaves the page', async () => {
    await user.visit('/videos');
    await user.visit('/chat/c_001/team');
    await tap(up('rooms'));
    await expect.poll(() => user.path()).toBe('/chat/c_001');
    await tap(up('clients'));
    await expect.poll(() => user.path()).toBe('/chat');
    await user.page().goBack();
    await expect.poll(() => user.path()).toBe('/videos');
  });
});

describe('the on-screen keyboard', () => {
  const findEnd = async (): Promise<string> => {
    const height = await user.page().evaluate(() => innerHeight);
    const last = await room.region.locator('[data-message-id]').last().boundingBox();
    const field = await room.composer.boundingBox();
    if (last === null || field === null) return 'out of the page';
    const isOrdered = last.y + last.height <= field.y;
    return isOrdered && field.y + field.height <= height ? 'in sight' : 'hidden';
  };

  test('leaves the composer and the latest message visible, and the thread at its end', async () => {
    await tapInto('Maya Okafor', 'Team');
    await tap(room.composer);
    await setDevice(user.page(), BESIDE_KEYBOARD);
    await expect.poll(findEnd).toBe('in sight');
    await room.composer.fill('One\nTwo\nThree\nFour\nFive\nSix\nSeven');
    await expect.poll(findEnd).toBe('in sight');
    await tap(user.page().getByRole('button', { name: 'Send' }));
    await room.message('Seven').waitFor();
    await expect.poll(findEnd).toBe('in sight');
    await setDevice(user.page(), PHONE_DEVICE);
    await expect.poll(findEnd).toBe('in sight');
  });

  test('keeps the position of a reader further up', async () => {
    await openConnected(user.page(), () => user.visit('/chat/c_001/team'));
    await room.fetchMore.scrollIntoViewIfNeeded();
    await user.page().getByRole('button', { name: 'Latest messages' }).waitFor();
    // Until the top rows are rendered, the rows of the end remain, far below.
    await toRestingEnd(room.region);
    const first = room.region.locator('[data-message-id]').first();
    const before = await first.boundingBox();
    expect(before?.y).toBeLessThan(BESIDE_KEYBOARD.height);
    await setDevice(user.page(), BESIDE_KEYBOARD);
    await expect.poll(async () => (await first.boundingBox())?.y).toBe(before?.y);
  });

  /** From the next load on, the keyboard is laid over the page, as on iOS (w3c/csswg-drafts#7767). */
  const layOver = () =>
    user.page().addInitScript(() => {
      const real = { height: innerHeight, scale: 1, offsetTop: 0 };
      Object.defineProperty(window, 'visualViewport', {
        value: Object.assign(new EventTarget(), real),
      });
    });
  const show = (height: number) =>
    user.page().evaluate((visible) => {
      Object.assign(visualViewport ?? {}, { height: visible });
      visualViewport?.dispatchEvent(new Event('resize'));
    }, height);

  test('leaves the reply to an entry of Home visible, too', async () => {
    const page = user.page();
    await layOver();
    await openConnected(page, () => user.visit('/'));
    const reply = page.getByRole('button', { name: /^Reply to/ });
    const last = reply.nth((await reply.count()) - 1);
    await last.scrollIntoViewIfNeeded();
    await tap(last);
    const field = page.getByRole('textbox', { name: 'Message', exact: true });
    await field.waitFor();
    await expect
      .poll(async () => {
        await show(BESIDE_KEYBOARD.height);
        const box = await field.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height <= BESIDE_KEYBOARD.height;
      })
      .toBe(true);
  });

  test('leaves them visible where it is laid over the page', async () => {
    const page = user.page();
    await layOver();
    await openConnected(page, () => user.visit('/chat/c_001/team'));
    await tap(room.composer);
    const findBottom = async (part = room.composer) => {
      const box = await part.boundingBox();
      return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN);
    };
    const whole = await findBottom();
    // The shortcuts of keyboards load after the room.
    await expect
      .poll(async () => {
        await show(BESIDE_KEYBOARD.height);
        return findBottom();
      })
      .toBeLessThan(BESIDE_KEYBOARD.height);
    await expect.poll(findEnd).toBe('in sight');
    expect((await up('rooms').boundingBox())?.y).toBeGreaterThanOrEqual(0);
    await allowCopying(page);
    await page.getByRole('button', { name: 'Message actions' }).last().press('Enter');
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    expect(await findBottom(page.getByText('Link copied.'))).toBeLessThan(BESIDE_KEYBOARD.height);
    await show(PHONE_DEVICE.height);
    await expect.poll(() => findBottom()).toBe(whole);
  });

  test('labels Enter as a new line; the button sends', async () => {
    await tapInto('Maya Okafor', 'Team');
    await tap(room.composer);
    await room.composer.pressSequentially('First line');
    await room.composer.press('Enter');
    await room.composer.pressSequentially('second line');
    expect(await room.composer.inputValue()).toBe('First line\nsecond line');
    await tap(user.page().getByRole('button', { name: 'Send' }));
    await room.message('second line').waitFor();
    await expect
      .poll(() => room.composer.evaluate((field) => field === document.activeElement))
      .toBe(true);
  });
});

test('the lines of outgoing messages do not move when they are sent', async () => {
  await tapInto('Maya Okafor', 'General');
  await user.goOffline();
  // All lengths around that of a line: one of them just fits while nothing is beside it.
  const texts = Array.from({ length: 14 }, (_, more) => 'n'.repeat(24 + more));
  for (const text of texts) {
    await room.composer.fill(text);
    await tap(user.page().getByRole('button', { name: 'Send' }));
    await room.message(text).waitFor();
  }
  const queued = room.region.locator('[data-state="queued"]');
  await expect.poll(() => queued.count()).toBe(texts.length);
  const measure = () =>
    room.region
      .locator('[data-own] [data-readable]')
      .evaluateAll((found) => found.slice(-14).map((text) => text.getBoundingClientRect().height));
  const before = await measure();
  expect(new Set(before).size).toBe(2);
  await user.goOnline();
  await room
    .message(texts.at(-1) ?? '')
    .and(room.region.locator('[data-state="sent"]'))
    .waitFor();
  expect(await measure()).toEqual(before);
});
