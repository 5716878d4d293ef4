import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type FaultScene, openScene, ROOM } from '#tests/support/fault-scene.ts';
import { stopInTransaction } from '#tests/support/freeze-page.ts';
import { toRoomPage } from '#tests/support/page-room.ts';
import { toShellPage } from '#tests/support/page-shell.ts';

/** Against a true hang alone: the text comes after 12 s on a machine with nothing else to do. */
const WAIT = { timeout: 120_000 };
const HELD = /Another tab of Replay Desk does not respond\. Close it to go on\./;

let scene: FaultScene;
let other: Page;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.dispose());

test(
  'a tab that stops inside a transaction is named, until it goes on',
  {
    timeout: 300_000,
  },
  async () => {
    const leader = scene.user.page();
    other = await scene.user.openTab();
    await scene.user.visit(ROOM);
    await toRoomPage(other).region.locator('[data-message-id]').first().waitFor();
    const goOn = await stopInTransaction(leader);
    const status = () => toShellPage(other).connection.innerText();
    await expect.poll(status, WAIT).toMatch(HELD);
    expect(await status()).toMatch(/^Reconnecting/);
    await goOn();
    await expect.poll(status, WAIT).toMatch(/^(Online)?$/);
    await toRoomPage(other).send('after the hang');
    await expect
      .poll(
        () => toRoomPage(other).message('after the hang').first().getAttribute('data-state'),
        WAIT,
      )
      .toBe('sent');
  },
);
