import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { fromEpochMs } from '#domain/timetoken.ts';
import { CHANNEL, type FaultScene, onceEach, openScene } from '#tests/support/fault-scene.ts';

const AUTH_SECRET = 'a secret that outlives the data of a server';
const AHEAD_MS = 600_000;
const RECOVERY_MS = 20_000;

let scene: FaultScene;

beforeEach(async () => {
  scene = await openScene(undefined, { AUTH_SECRET });
});
afterEach(() => scene.dispose());

/** As if the server's clock had been ahead when this was written. */
const writeAhead = (dataFolder: string, text: string): void => {
  const sql = new DatabaseSync(join(dataFolder, 'desk.sqlite'));
  sql
    .prepare(
      `INSERT INTO log (timetoken, room, ordinal, publisher, id, message)
       VALUES (?, 'c_003/general', 1000, 'u_team', 'ahead', ?)`,
    )
    .run(fromEpochMs(Date.now() + AHEAD_MS), JSON.stringify({ id: 'ahead', text }));
  sql.close();
};

test('an empty server whose clock is behind takes the place of the old one', async () => {
  const { desk, room } = scene;
  const { server, proxy } = desk;
  await server.stop();
  writeAhead(server.dataFolder, 'known from the old server');
  await server.start();
  await room().message('known from the old server').waitFor({ timeout: RECOVERY_MS });
  await room().send('mine on the old server');
  await scene.expectSent('mine on the old server', RECOVERY_MS);

  const away = proxy.break(/./, { kind: 'refuse' });
  await server.stop();
  await rm(server.dataFolder, { recursive: true });
  await room().send('mine while it was away');
  await server.start();
  const theirs = Array.from({ length: 20 }, (_, n) => `theirs on the new server ${n + 1}.`);
  await desk.write(CHANNEL, theirs);
  away();

  await scene.expectSent('mine while it was away', RECOVERY_MS);
  await room().message(theirs.at(-1)!).waitFor({ timeout: RECOVERY_MS });
  expect(await scene.findEverywhere(theirs)).toEqual(onceEach(theirs));
  await room().send('mine on the new server');
  await scene.expectSent('mine on the new server', RECOVERY_MS);
  await desk.write(CHANNEL, ['theirs at last']);
  await room().message('theirs at last').waitFor();
  const kept = ['known from the old server', 'mine on the old server'];
  const sent = ['mine while it was away', 'mine on the new server', 'theirs at last'];
  const { log, screen } = await scene.findEverywhere([...kept, ...sent]);
  expect(log).toEqual(sent);
  expect(screen).toEqual([...kept, ...sent]);
  expect(await scene.status()).toMatch(/^(Online)?$/);
  expect(proxy.countStreams()).toBe(1);
});
