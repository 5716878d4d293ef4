import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type FaultScene, onceEach, openScene, ROOM } from '#tests/support/scenes/fault-scene.ts';

const PUBLISH = /^\/api\/realtime\/publish/;
const TAG = 'replay-desk-outbox';

let scene: FaultScene;
let page: Page;

beforeAll(async () => {
  scene = await openScene({ browser: 'whole' });
  page = scene.user.page();
  await page.addInitScript(() => {
    // Every retry delay is as long as possible, and the long ones never end.
    Math.random = () => 0.999;
    const run = globalThis.setTimeout;
    const runShort = (work: () => void, ms = 0): unknown => (ms < 3000 ? run(work, ms) : 0);
    const asked: string[] = [];
    const manager = Reflect.get(globalThis, 'SyncManager') as { readonly prototype: object };
    const real = Reflect.get(manager.prototype, 'register') as (tag: string) => Promise<void>;
    Reflect.set(manager.prototype, 'register', function register(this: unknown, tag: string) {
      asked.push(tag);
      return Reflect.apply(real, this, [tag]);
    });
    Object.assign(globalThis, { asked, setTimeout: runShort });
  });
  await scene.user.visit(ROOM);
  await scene.room().region.locator('[data-message-id]').first().waitFor();
});
afterAll(() => scene.dispose());

const countTries = () => scene.desk.proxy.requests.filter(({ path }) => PUBLISH.test(path)).length;

/** Sends a message that is refused until no retry would follow by itself. */
const holdUp = async (text: string): Promise<void> => {
  const tried = countTries();
  scene.desk.proxy.break(PUBLISH, { kind: 'status', status: 503 });
  await scene.room().send(text);
  await expect.poll(countTries).toBe(tried + 3);
  await expect.poll(() => scene.stateOf(text)).toBe('queued');
  scene.desk.proxy.heal();
};

/** The browser's own event, as after a network returned. */
const dispatchSync = async (): Promise<void> => {
  const browser = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId, isDeleted } of registrations) {
        if (!isDeleted) resolve(registrationId);
      }
    });
  });
  await browser.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  const registrationId = await registered;
  const event = { origin, registrationId, tag: TAG, lastChance: false };
  await browser.send('ServiceWorker.dispatchSyncEvent', event);
};

test('the event wakes a waiting outbox before its delay is over', async () => {
  await holdUp('woken by the browser');
  await dispatchSync();
  await expect.poll(() => scene.stateOf('woken by the browser')).toBe('sent');
});

test('it is requested only while messages wait and there is no network', async () => {
  const readAsked = () => page.evaluate(() => (globalThis as { asked?: string[] }).asked);
  expect(await readAsked()).toEqual([]);
  await scene.user.goOffline();
  expect(await readAsked()).toEqual([]);
  await scene.room().send('written without a network');
  await expect.poll(readAsked).toEqual([TAG]);
  await scene.user.goOnline();
  await scene.expectSent('written without a network');
  const texts = ['woken by the browser', 'written without a network'];
  await expect.poll(() => scene.findEverywhere(texts)).toEqual(onceEach(texts));
});
