import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { type RoomPage, toRoomPage } from '#tests/support/page/room.ts';
import { type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { refuseMessage } from '#tests/support/browser/route-message.ts';
import { type ServerProcess, startServer } from '#tests/support/process/server-process.ts';
import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';

const ROOM = '/chat/c_001/team';

let server: ServerProcess;
let user: User;
let room: RoomPage;
let shell: ShellPage;

beforeAll(async () => {
  server = await startServer();
  user = await createUser(server);
  await user.signIn(PRODUCER, ROOM);
  room = toRoomPage(user.page());
  shell = toShellPage(user.page());
});
afterAll(async () => {
  await user.dispose();
  await server.dispose();
});
const openRoom = async (): Promise<void> => {
  await user.visit(ROOM);
  await room.region.locator('[data-message-id]').first().waitFor();
};
beforeEach(openRoom);
afterEach(() => {
  expect(user.problems.take()).toEqual([]);
});

describe('forced colours', () => {
  beforeAll(() => user.page().emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' }));
  afterAll(() => user.page().emulateMedia({ forcedColors: 'none', reducedMotion: null }));

  /** Whether a part looks different from another if backgrounds are equal. */
  const looksLike = async (one: Locator, other: Locator): Promise<boolean> => {
    const read = (element: Element) => {
      const { outlineStyle, outlineWidth, borderTopStyle, borderTopWidth, fontWeight } =
        getComputedStyle(element);
      return [outlineStyle, outlineWidth, borderTopStyle, borderTopWidth, fontWeight].join();
    };
    return (await one.evaluate(read)) === (await other.evaluate(read));
  };

  test('the open section, client and room stand out', async () => {
    expect(await looksLike(shell.link('Chat'), shell.link('Home'))).toBe(false);
    expect(await looksLike(shell.client('Maya Okafor'), shell.client('Kenji Watanabe'))).toBe(
      false,
    );
    const { rooms } = shell;
    const [open, other] = ['Team', 'General'].map((name) => rooms.getByRole('link', { name }));
    expect(await looksLike(open!, other!)).toBe(false);
  });

  test('outgoing messages are marked, and a failed one has its mark and its text', async () => {
    user.problems.allow(/400/);
    await refuseMessage(user.page(), 'Nobody takes this one.');
    await openRoom();
    const own = room.region.locator('[data-own="true"][data-headed]').last();
    await own.getByText('You', { exact: true }).waitFor();
    await room.send('Nobody takes this one.');
    const failed = room.message('Nobody takes this one.');
    await failed.getByText('Not sent').waitFor();
    const mark = await failed.locator('[data-readable]').evaluate((text) => {
      const { borderLeftStyle, borderLeftWidth } = getComputedStyle(text);
      return `${borderLeftStyle} ${borderLeftWidth}`;
    });
    expect(mark).toBe('solid 3px');
    await failed.getByRole('button', { name: 'Delete' }).click();
    await failed.waitFor({ state: 'detached' });
  });

  test('a text that can be sent changes the button', async () => {
    const button = user.page().getByRole('button', { name: 'Send' });
    const empty = await button.screenshot();
    await room.composer.fill('Something');
    await expect.poll(async () => (await button.screenshot()).equals(empty)).toBe(false);
    await room.composer.fill('');
  });
});

test('with reduced motion nothing moves', async () => {
  const page = user.page();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // Transitions that started earlier are finished.
  await openRoom();
  const readLongest = () =>
    page.evaluate(() =>
      Math.max(
        0,
        ...document.getAnimations().map(({ effect }) => {
          const { duration, iterations } = effect?.getComputedTiming() ?? {};
          return Number(duration ?? 0) * (iterations ?? 1);
        }),
      ),
    );
  await shell.main.hover();
  expect(await readLongest()).toBeLessThanOrEqual(1);
  await page.mouse.move(900, 500);
  await page.getByRole('button', { name: 'Expand clients' }).click();
  expect(await readLongest()).toBeLessThanOrEqual(1);
  await room.send('On its way.');
  expect(await readLongest()).toBeLessThanOrEqual(1);
  await page.getByRole('button', { name: 'Collapse clients' }).click();
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
  expect(await readLongest()).toBeLessThanOrEqual(1);
});
