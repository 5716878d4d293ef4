import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type FaultScene, onceEach, openScene, ROOM } from '#tests/support/scenes/fault-scene.ts';
import { stopInTransaction } from '#tests/support/page/freeze.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { toShellPage } from '#tests/support/page/shell.ts';

const WRITTEN = 'written while the storage is held';

let scene: FaultScene;
let hung: Page;
let open: Page;
let opened: Page;

/**
 * One tab leads and stops inside a transaction; one was opened before that, one is opened after it.
 */
beforeAll(async () => {
  scene = await openScene();
  // The storage work of both tabs has timed out by then, which is logged.
  scene.user.problems.allow(/TASK_TIMED_OUT/);
  hung = scene.user.page();
  open = await scene.user.openTab();
  await scene.user.visit(ROOM);
  await toRoomPage(open).region.locator('[data-message-id]').first().waitFor();
  await stopInTransaction(hung);
  opened = await scene.user.openTab();
  await scene.user.visit(ROOM);
});
afterAll(() => scene.dispose());

test('an open tab reports that another one blocks the storage', async () => {
  const status = () => toShellPage(open).connection.innerText();
  await expect
    .poll(status)
    .toBe("Reconnecting Another Replay Desk tab isn't responding. Close it to continue.");
  expect(await toRoomPage(open).visibleTexts()).not.toEqual([]);
});

test('a new tab shows what to do, instead of the signed-in pages', async () => {
  const notice = opened.getByRole('alert');
  await expect.poll(() => notice.innerText()).toContain('Close your other Replay Desk tabs');
  expect(await opened.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([
    "Waiting for this browser's storage",
  ]);
});

test('when the blocking tab is closed, both continue by themselves', async () => {
  await toRoomPage(open).composer.fill(WRITTEN);
  await toRoomPage(open).composer.press('Enter');
  await hung.close();
  await toRoomPage(opened).message(WRITTEN).and(opened.locator('[data-state="sent"]')).waitFor();
  await expect.poll(() => toShellPage(open).connection.innerText()).toMatch(/^(?:Online)?$/);
  expect(await scene.findEverywhere([WRITTEN])).toEqual(onceEach([WRITTEN]));
});
