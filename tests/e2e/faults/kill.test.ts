import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type FaultScene, onceEach, openScene, ROOM } from '#tests/support/scenes/fault-scene.ts';

/** `KILL_ROUNDS=500 npm run e2e` for a release. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 4);
/** The browser is killed within this time after Enter, ms. */
const DIES_WITHIN_MS = 60;

let scene: FaultScene;

beforeAll(async () => {
  scene = await openScene({ browser: 'whole' });
  // A browser that closes writes its cookies to disk.
  await scene.user.closeBrowser();
});
afterAll(() => scene.dispose());

test('a browser killed right after Enter loses nothing it accepted, and sends nothing twice', async () => {
  const { desk, room, user } = scene;
  const accepted: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    await user.openBrowser();
    await user.visit(ROOM);
    await room().composer.waitFor();
    // Every other time nothing gets through, so that everything depends on the disk.
    if (round % 2 === 0) desk.proxy.break(/^\/api\/realtime\/publish/, { kind: 'refuse' });
    const text = `killed in round ${String(round).padStart(3, '0')}.`;
    await room().send(text);
    accepted.push(text);
    await pause(Math.random() * DIES_WITHIN_MS);
    await user.killBrowser();
    desk.proxy.heal();
  }
  await user.openBrowser();
  await user.visit(ROOM);
  for (const text of accepted.slice(-2)) await scene.expectSent(text);
  const { log } = await scene.findEverywhere(accepted);
  expect(log).toEqual(onceEach(accepted).log);
});
