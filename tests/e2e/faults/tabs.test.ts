import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  CHANNEL,
  type FaultScene,
  onceEach,
  openScene,
  ROOM,
} from '#tests/support/scenes/fault-scene.ts';
import { freezePage } from '#tests/support/page/freeze.ts';
import { toRoomPage } from '#tests/support/page/room.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Browsers open at most 6 connections to a host on HTTP/1.1. */
const TABS = 8;

let scene: FaultScene;
const tabs: Page[] = [];
const texts: string[] = [];

beforeAll(async () => {
  scene = await openScene();
  tabs.push(scene.user.page());
  while (tabs.length < TABS) {
    const tab = await scene.user.openTab();
    await scene.user.visit(ROOM);
    await toRoomPage(tab).region.locator('[data-message-id]').first().waitFor();
    tabs.push(tab);
  }
});
afterAll(() => scene.dispose());

/** The proxy detects the end of a stream after its tab. */
const countStreams = (): number => scene.backend.proxy.countStreams();

/** The time from Enter in a tab to the server's log. */
const send = async (tab: Page, text: string): Promise<void> => {
  texts.push(text);
  await tab.bringToFront();
  await toRoomPage(tab).send(text);
  await waitFor(`"${text}" in the log`, async () =>
    (await scene.backend.readLog(CHANNEL)).includes(text),
  );
};

/** The leading tab, according to the browser's locks. */
const findLeader = async (): Promise<Page> => {
  for (const tab of tabs) {
    const isLeader = await tab.evaluate(() =>
      navigator.locks.request('probe', async () => {
        const { held = [] } = await navigator.locks.query();
        const holderOf = (prefix: string): string | undefined =>
          held.find(({ name }) => name?.startsWith(prefix))?.clientId;
        return holderOf('replay-desk-leader-') === holderOf('probe');
      }),
    );
    if (isLeader) return tab;
  }
  throw new Error('no tab leads');
};

test('eight tabs send while one stream leaves connections free', async () => {
  for (const [n, tab] of tabs.entries()) {
    await send(tab, `from tab ${n + 1}`);
    await expect.poll(countStreams).toBe(1);
  }
});

test('the leading tab crashes: another takes over', async () => {
  const leader = await findLeader();
  tabs.splice(tabs.indexOf(leader), 1);
  await leader.goto('chrome://crash').catch(() => undefined);
  await send(tabs[0]!, 'after the crash');
  await expect.poll(countStreams).toBe(1);
});

test('the leading tab freezes: another takes over, and nothing is sent twice', async () => {
  const leader = await findLeader();
  const thaw = await freezePage(leader);
  const other = tabs.find((tab) => tab !== leader)!;
  await send(other, 'after the freeze');
  await thaw();
  await toRoomPage(leader).message('after the freeze').waitFor();
  await expect.poll(countStreams).toBe(1);
  for (const tab of tabs) {
    for (const text of texts) {
      await expect.poll(() => toRoomPage(tab).message(text).count()).toBe(1);
    }
  }
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
});
