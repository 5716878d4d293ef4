import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { createUser, PRODUCER, type User } from '#tests/support/browser/user.ts';
import { type ShellPage, toShellPage } from '#tests/support/page/shell.ts';
import { tap } from '#tests/support/page/touch.ts';
import { waitForReading } from '#tests/support/page/unread.ts';
import { type FaultyServer, startFaultyServer } from '#tests/support/scenes/faulty-server.ts';
import { DESKTOP_DEVICE, PHONE_DEVICE, setDevice } from '#tests/support/screens/device.ts';

const TOMAS = { publisher: 'client:c_005', clientName: 'Tomás Echeverría' };
const NADIA = { publisher: 'client:c_006', clientName: 'Nadia' };

let backend: FaultyServer;
let user: User;
let shell: ShellPage;

beforeAll(async () => {
  backend = await startFaultyServer();
  user = await createUser(backend.server);
});
afterAll(async () => {
  await user.dispose();
  await backend.dispose();
});
beforeEach(async () => {
  await user.startOver();
  shell = toShellPage(user.page());
  await setDevice(user.page(), DESKTOP_DEVICE);
  await user.signIn(PRODUCER, '/chat/c_001/team');
  // Earlier messages count as read.
  await waitForReading(user.page(), PRODUCER.uid);
});
afterEach(() => expect(user.problems.take()).toEqual([]));

/** The count on a control, which style draws, and the one in its description. */
const readCounts = (control: Locator) =>
  control.evaluate((element) => {
    const drawn = element.querySelector('[data-unread]');
    const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
    const texts = ids.map((id) => document.querySelector(`#${id}`)?.textContent);
    return {
      drawn: drawn?.checkVisibility() ? drawn.getAttribute('data-unread') : null,
      described: texts.join(' ').trim(),
    };
  });
const toCounts = (count: string) => ({ drawn: count, described: `${count} unread` });
/** Whether the count lies inside its control. */
const isWithin = async (control: Locator): Promise<boolean> => {
  const outer = await control.boundingBox();
  const inner = await control.locator('[data-unread]').boundingBox();
  if (outer === null || inner === null) return false;
  const isWide = inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width;
  return isWide && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
};
const widthOf = async (control: Locator) => (await control.boundingBox())?.width ?? Infinity;
const countOf = (control: Locator): Locator => control.locator('[data-unread]');
const menu = () => user.page().getByRole('button', { name: 'Open navigation', exact: true });

/** The number of unread messages that the tests wrote. */
let written = 0;
const write: FaultyServer['writeAs'] = async (...message) => {
  await backend.writeAs(...message);
  written += 1;
  await expect.poll(() => user.page().title()).toContain(`(${written}) `);
};

test('every page shows on its link to Chat the same count as the title', async () => {
  for (const path of ['/dashboard', '/search', '/settings']) {
    await user.visit(path);
    await write(TOMAS, 'chat.c_005.team', `Is anybody there? ${path}`);
    await expect.poll(() => readCounts(shell.link('Chat'))).toEqual(toCounts(String(written)));
  }
  expect(await shell.main.locator('[data-unread]').count()).toBe(1);
  expect(await isWithin(shell.link('Chat'))).toBe(true);
  await shell.link('Home').hover();
  await expect.poll(() => widthOf(shell.main)).toBe(200);
  await expect.poll(() => isWithin(shell.link('Chat'))).toBe(true);
  expect(await widthOf(countOf(shell.link('Chat')))).toBeLessThan(30);
});

test('a phone shows it on the button of the navigation and on the link, until it is read', async () => {
  await setDevice(user.page(), PHONE_DEVICE);
  await user.visit('/dashboard');
  const before = written;
  await write(NADIA, 'chat.c_006.general', 'Anybody?');
  await write(NADIA, 'chat.c_006.general', 'Hello?');
  const count = String(written);
  await expect.poll(() => readCounts(menu())).toEqual(toCounts(count));
  expect(await isWithin(menu())).toBe(true);
  await tap(menu());
  await expect.poll(() => readCounts(shell.link('Chat'))).toEqual(toCounts(count));
  await expect.poll(() => isWithin(shell.link('Chat'))).toBe(true);
  expect(await widthOf(countOf(shell.link('Chat')))).toBeLessThan(30);
  await user.visit('/chat/c_006/general');
  await expect.poll(async () => Number((await readCounts(menu())).drawn ?? 0)).toBe(before);
});
