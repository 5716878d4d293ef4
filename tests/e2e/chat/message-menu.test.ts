import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { allowCopying, chooseFromMessage, readCopied } from '#tests/support/page/message-menu.ts';
import { getSession } from '#tests/support/page/session.ts';
import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { toRestingEnd } from '#tests/support/page/thread-end.ts';
import { tap } from '#tests/support/page/touch.ts';
import {
  DESKTOP_DEVICE,
  PHONE_DEVICE,
  setColorScheme,
  setDevice,
} from '#tests/support/screens/device.ts';
import {
  createRealtimeClient,
  createTestTokens,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_003/general';

let server: ServerProcess;
let user: User;
let room: RoomPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER, ROOM);
  await allowCopying(user.page());
  room = toRoomPage(user.page());
  await room.send('The cut is ready.');
  await room.region.locator('[data-state="sent"]').filter({ hasText: 'The cut' }).waitFor();
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
beforeEach(async () => {
  await user.visit(ROOM);
  await last().getByRole('button', { name: 'Message actions' }).waitFor({ state: 'attached' });
});
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

const last = () => room.message('The cut is ready.');
const button = () => last().getByRole('button', { name: 'Message actions' });
const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement);
const menu = () => user.page().getByRole('menu', { name: 'Message actions' });

test('by pointer: the menu copies the text, and closes on a second press or Escape', async () => {
  await chooseFromMessage(last(), 'Copy text');
  await user.page().getByText('Copied.').waitFor();
  expect(await readCopied(user.page())).toBe('The cut is ready.');
  await expect.poll(() => menu().count()).toBe(0);
  await button().click();
  await menu().waitFor();
  const box = await button().boundingBox();
  await user.page().mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
  await expect.poll(() => menu().count()).toBe(0);
  await button().click();
  await menu().waitFor();
  await user.page().keyboard.press('Escape');
  await expect.poll(() => menu().count()).toBe(0);
  await expect.poll(() => isFocused(button())).toBe(true);
});

test('by pointer: another button closes an open menu', async () => {
  await button().click();
  await menu().waitFor();
  const avatar = user.page().getByRole('button', { name: 'User menu' });
  const userMenu = user.page().getByRole('menu', { name: 'User menu' });
  await avatar.click();
  await userMenu.waitFor();
  await expect.poll(() => menu().count()).toBe(0);
  await last().hover();
  await button().click();
  await menu().waitFor();
  await expect.poll(() => userMenu.count()).toBe(0);
  expect(await button().getAttribute('aria-expanded')).toBe('true');
  await user.page().keyboard.press('Escape');
  await expect.poll(() => menu().count()).toBe(0);
});

test('Remind me shows the message and the times, and the focus returns to the button', async () => {
  await chooseFromMessage(last(), 'Remind me');
  const dialog = user.page().getByRole('dialog', { name: 'Remind me' });
  await dialog.getByText('· General').waitFor();
  await dialog.getByText('The cut is ready.').waitFor();
  const first = dialog.getByRole('button', { name: /^In 1 hour/ });
  await expect.poll(() => isFocused(first)).toBe(true);
  expect(await dialog.getByRole('button', { name: 'Take this room' }).count()).toBe(0);
  await user.page().keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);
  await expect.poll(() => isFocused(button())).toBe(true);

  await chooseFromMessage(last(), 'Remind me');
  // Offered every day: on a Sunday, tomorrow is offered as the Monday.
  await dialog.getByRole('button', { name: /^In 3 hours/ }).click();
  await user
    .page()
    .getByText(/reminder set for/)
    .waitFor();
  await expect.poll(() => dialog.count()).toBe(0);
  await user
    .page()
    .getByRole('button', { name: /^Follow up\. Reminder: / })
    .waitFor();
});

test('by keyboard: all messages are one tab stop, and arrow keys move between them', async () => {
  const { keyboard } = user.page();
  await room.composer.focus();
  await keyboard.press('Shift+Tab');
  await expect.poll(() => isFocused(button())).toBe(true);
  await keyboard.press('ArrowUp');
  expect(await isFocused(button())).toBe(false);
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await menu().waitFor();
  const readFocused = () => user.page().evaluate(() => document.activeElement?.textContent);
  // The menu takes the focus a moment after it is visible.
  await expect.poll(readFocused).toBe('Copy text');
  await keyboard.press('ArrowDown');
  await expect.poll(readFocused).toBe('Copy link');
  await keyboard.press('Enter');
  await user.page().getByText('Link copied.').waitFor();
  expect(await readCopied(user.page())).toMatch(
    new RegExp(`^${server.address}${ROOM}\\?m=\\d{17}$`),
  );
  await expect.poll(() => isFocused(button())).toBe(true);
});

test('a key pressed as soon as the menu has the focus moves it, and it stays there', async () => {
  await user.page().evaluate(() => {
    const focused: (string | null)[] = [];
    Reflect.set(window, 'focusedItems', focused);
    window.addEventListener('focusin', ({ target }) => {
      if (!(target instanceof Element) || target.role !== 'menuitem') return;
      if (focused.push(target.textContent) > 1) return;
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    });
  });
  await button().press('ArrowUp');
  await user.page().keyboard.press('Enter');
  const readOpacity = () => menu().evaluate((element) => getComputedStyle(element).opacity);
  await expect.poll(readOpacity).toBe('1');
  expect(await user.page().evaluate(() => Reflect.get(window, 'focusedItems') as string[])).toEqual(
    ['Copy text', 'Copy link'],
  );
  // Like every menu, it closes when Tab leaves it, and the thread is one tab stop.
  await user.page().keyboard.press('Tab');
  await expect.poll(() => menu().count()).toBe(0);
  await expect.poll(() => isFocused(room.composer)).toBe(true);
});

test('the menu highlights one item, in a colour of the page, in light and dark mode', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await setColorScheme(user.page(), colorScheme);
    await last().hover();
    await button().click();
    const items = menu().getByRole('menuitem');
    await expect.poll(() => isFocused(items.first())).toBe(true);
    await items.nth(1).hover();
    const colors = await items.evaluateAll((all) =>
      all.map((item) => getComputedStyle(item).backgroundColor),
    );
    const accent = await menu().evaluate((list) => {
      const sample = list.appendChild(document.createElement('i'));
      sample.style.color = 'var(--accent-soft)';
      const { color } = getComputedStyle(sample);
      sample.remove();
      return color;
    });
    expect(colors.map((color) => color === accent)).toEqual([false, true, false]);
    expect(new Set(colors).size).toBe(2);
    await user.page().keyboard.press('Escape');
    await expect.poll(() => menu().count()).toBe(0);
  }
  await setColorScheme(user.page(), 'light');
});

test('by touch: a long press opens the menu, a tap shows its button', async () => {
  await setDevice(user.page(), PHONE_DEVICE);
  await toRestingEnd(room.region);
  const text = last().getByText('The cut is ready.');
  const box = await text.boundingBox();
  if (box === null) throw new Error('nothing there to press');
  const session = await getSession(user.page());
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  await menu().waitFor();
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await tap(user.page().getByRole('menuitem', { name: 'Copy text' }));
  await user.page().getByText('Copied.').waitFor();
  await user.visit(ROOM);
  await button().waitFor({ state: 'attached' });
  await toRestingEnd(room.region);
  await tap(text);
  await expect.poll(() => button().evaluate((one) => getComputedStyle(one).opacity)).toBe('1');
  await tap(button());
  await menu().waitFor();
});

test('by keyboard: inside a message that is higher than the thread, its button is the tab stop', async () => {
  await setDevice(user.page(), DESKTOP_DEVICE);
  const tall = Array.from({ length: 200 }, (_, line) => `Line ${line}`).join('\n');
  for (const text of [tall, 'After it.', 'The end.']) await room.send(text);
  await toRestingEnd(room.region);
  const line = room.message('Line 150');
  await room.region.evaluate((thread) => {
    thread.scrollTop -= 2 * thread.clientHeight;
  });
  const isAlone = () =>
    room.region.evaluate((thread) => {
      const { top, bottom } = thread.getBoundingClientRect();
      return [...thread.querySelectorAll('[data-message-id]')].some((row) => {
        const box = row.getBoundingClientRect();
        return box.top < top - 50 && box.bottom > bottom;
      });
    });
  await expect.poll(isAlone).toBe(true);
  await room.composer.focus();
  await user.page().keyboard.press('Shift+Tab');
  // Beside the messages there is the button that leads to the latest ones.
  if ((await line.locator(':focus').count()) === 0) await user.page().keyboard.press('Shift+Tab');
  await expect.poll(() => line.locator(':focus').count()).toBe(1);
});

test('Remind me stays open when its message leaves the thread, and gives back the focus', async () => {
  const client = createTestTokens(server.dataFolder).client('c_003');
  const engine = createRealtimeClient(Number(new URL(server.address).port), client);
  await room.send('To be answered.');
  await room.message('To be answered.').and(room.region.locator('[data-state="sent"]')).waitFor();
  await chooseFromMessage(room.message('To be answered.'), 'Remind me');
  const dialog = user.page().getByRole('dialog', { name: 'Remind me' });
  await dialog.getByText('To be answered.').waitFor();
  for (let n = 1; n <= 40; n++) {
    await engine.publish('chat.c_003.general', toMessage(`Number ${n} of 40`));
  }
  await room.message('Number 40 of 40').waitFor();
  await expect.poll(() => room.message('To be answered.').count()).toBe(0);
  await dialog.getByText('To be answered.').waitFor();
  await user.page().keyboard.press('Escape');
  await expect.poll(() => room.region.and(user.page().locator(':focus-within')).count()).toBe(1);
});
