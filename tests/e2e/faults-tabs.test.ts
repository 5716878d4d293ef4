import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { CHANNEL, type FaultScene, onceEach, openScene, ROOM } from '#tests/support/fault-scene.ts';
import { freezePage } from '#tests/support/freeze-page.ts';
import { toRoomPage } from '#tests/support/page-room.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Browsers open at most 6 connections to a host on HTTP/1.1. */
const TABS = 8;
const SEND_MS = 3000;
const TAKEOVER_CRASH_MS = 5000;
const TAKEOVER_FREEZE_MS = 15_000;

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

/** From Enter in a tab to the server's log, ms. */
const timeSend = async (tab: Page, text: string): Promise<number> => {
  texts.push(text);
  await tab.bringToFront();
  await toRoomPage(tab).send(text);
  const sentAt = performance.now();
  await waitFor(`"${text}" in the log`, 30_000, async () =>
    (await scene.desk.readLog(CHANNEL)).includes(text),
  );
  return performance.now() - sentAt;
};

/** The tab that leads, as the browser's locks tell. */
const findLeader = async (): Promise<Page> => {
  for (const tab of tabs) {
    const held = await tab.evaluate(async () => {
      const { held = [], pending = [] } = await navigator.locks.query();
      const isWaiting = pending.length;
      return { names: held.map(({ clientId }) => clientId), isWaiting };
    });
    if (held.names.length === 0) throw new Error('nobody leads');
    const own = await tab.evaluate(async () => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      void navigator.locks.request(`probe-${Math.random()}`, async () => {
        const { held: all = [] } = await navigator.locks.query();
        resolve(all.find(({ name }) => name?.startsWith('probe-'))?.clientId);
      });
      return promise;
    });
    if (held.names.includes(own)) return tab;
  }
  throw new Error('no tab leads');
};

test('eight tabs send, each within 3 s, over one stream', async () => {
  for (const [n, tab] of tabs.entries()) {
    expect(await timeSend(tab, `from tab ${n + 1}`)).toBeLessThan(SEND_MS);
  }
  expect(scene.desk.proxy.countStreams()).toBe(1);
});

test('the leading tab crashes: another takes over within 5 s', async () => {
  const leader = await findLeader();
  tabs.splice(tabs.indexOf(leader), 1);
  await leader.goto('chrome://crash').catch(() => undefined);
  expect(await timeSend(tabs[0]!, 'after the crash')).toBeLessThan(TAKEOVER_CRASH_MS);
  expect(scene.desk.proxy.countStreams()).toBe(1);
});

test('the leading tab freezes: another takes over within 15 s, nothing goes out twice', async () => {
  const leader = await findLeader();
  const thaw = await freezePage(leader);
  const other = tabs.find((tab) => tab !== leader)!;
  expect(await timeSend(other, 'after the freeze')).toBeLessThan(TAKEOVER_FREEZE_MS);
  await thaw();
  await toRoomPage(leader).message('after the freeze').waitFor();
  await expect.poll(() => scene.desk.proxy.countStreams()).toBe(1);
  for (const tab of tabs) {
    for (const text of texts) {
      await expect.poll(() => toRoomPage(tab).message(text).count()).toBe(1);
    }
  }
  expect(await scene.findEverywhere(texts)).toEqual(onceEach(texts));
});
