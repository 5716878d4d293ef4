import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type FaultScene, onceEach, openScene, ROOM } from '#tests/support/scenes/fault-scene.ts';

/** `KILL_ROUNDS=500 npm run e2e` for a release. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 4);
/** Rounds per test, so that a test stays within its time limit whatever the number of rounds. */
const ROUNDS_TOGETHER = 10;
const BATCHES = Array.from({ length: Math.ceil(ROUNDS / ROUNDS_TOGETHER) }, (_, batch) => {
  const first = batch * ROUNDS_TOGETHER + 1;
  return { first, last: Math.min(ROUNDS, first + ROUNDS_TOGETHER - 1) };
});
/** The browser is killed within this time after Enter, ms. */
const DIES_WITHIN_MS = 60;

let scene: FaultScene;

beforeAll(async () => {
  scene = await openScene({ browser: 'whole' });
  // A browser that closes writes its cookies to disk.
  await scene.user.closeBrowser();
});
afterEach(async () => {
  scene.backend.proxy.heal();
  await scene.user.closeBrowser();
});
afterAll(() => scene.dispose());

test.each(BATCHES)(
  'a browser killed right after Enter loses nothing, and sends nothing twice: rounds $first to $last',
  async ({ first, last }) => {
    const { backend, room, user } = scene;
    const accepted: string[] = [];
    for (let round = first; round <= last; round += 1) {
      await user.openBrowser();
      await user.visit(ROOM);
      await room().composer.waitFor();
      // Every other time nothing gets through, so that everything depends on the disk.
      if (round % 2 === 0) backend.proxy.break(/^\/api\/realtime\/publish/, { kind: 'refuse' });
      const text = `killed in round ${String(round).padStart(3, '0')}.`;
      const field = await room().composer.elementHandle();
      await room().send(text);
      // The empty field is the one that was typed into: no other page took its place meanwhile.
      expect(await field?.evaluate((element) => element.isConnected)).toBe(true);
      accepted.push(text);
      await pause(Math.random() * DIES_WITHIN_MS);
      await user.killBrowser();
      backend.proxy.heal();
    }
    await user.openBrowser();
    await user.visit(ROOM);
    for (const text of accepted.slice(-2)) await scene.expectSent(text);
    expect(await scene.findEverywhere(accepted)).toEqual(onceEach(accepted));
  },
);
