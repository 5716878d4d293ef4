import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, expect, test } from 'vitest';

import { fromEpochMs } from '#domain/timetoken.ts';
import {
  CHANNEL,
  type FaultScene,
  onceEach,
  openScene,
} from '#tests/support/scenes/fault-scene.ts';
import {
  createRealtimeClient,
  createTestTokens,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { PRODUCER, submitSignIn } from '#tests/support/browser/user.ts';

const AUTH_SECRET = 'a secret that outlives the data of a server';
const AHEAD_MS = 600_000;

let scene: FaultScene;

afterEach(() => scene.dispose());

/** Simulates a server's clock that was ahead when this was stored. */
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

test('an empty server whose clock is behind replaces the old one', async () => {
  scene = await openScene({ env: { AUTH_SECRET } });
  const { backend, room } = scene;
  const { server, proxy } = backend;
  await server.stop();
  writeAhead(server.dataFolder, 'known from the old server');
  await server.start();
  await room().message('known from the old server').waitFor();
  await room().send('mine on the old server');
  await scene.expectSent('mine on the old server');

  const away = proxy.break(/./, { kind: 'refuse' });
  await server.stop();
  await rm(server.dataFolder, { recursive: true });
  await room().send('mine while it was away');
  await server.start();
  const theirs = Array.from({ length: 20 }, (_, n) => `theirs on the new server ${n + 1}.`);
  await backend.write(CHANNEL, theirs);
  away();

  await scene.expectSent('mine while it was away');
  await room().message(theirs.at(-1)!).waitFor();
  expect(await scene.findEverywhere(theirs)).toEqual(onceEach(theirs));
  await room().send('mine on the new server');
  await scene.expectSent('mine on the new server');
  await backend.write(CHANNEL, ['theirs at last']);
  await room().message('theirs at last').waitFor();
  const kept = ['known from the old server', 'mine on the old server'];
  const sent = ['mine while it was away', 'mine on the new server', 'theirs at last'];
  const { log, screen } = await scene.findEverywhere([...kept, ...sent]);
  expect(log).toEqual(sent);
  // The new server's clock is behind: its entries appear above those from the old one.
  expect(screen.toSorted()).toEqual([...kept, ...sent].toSorted());
  await expect.poll(scene.status).toMatch(/^(Online)?$/);
  await expect.poll(() => proxy.countStreams()).toBe(1);
});

test('if the secret also differs, the page asks for a sign-in and then continues', async () => {
  scene = await openScene();
  const { backend, room, user } = scene;
  const { server, proxy } = backend;
  const port = Number(/localhost:(\d+)/.exec(server.output())?.[1]);
  await room().send('mine on the old server');
  await scene.expectSent('mine on the old server');
  const away = proxy.break(/./, { kind: 'refuse' });
  await server.stop();
  await rm(server.dataFolder, { recursive: true });
  await room().send('mine while it was away');
  await server.start();
  away();

  await user.page().getByLabel('Password', { exact: true }).waitFor();
  await submitSignIn(user.page(), PRODUCER);
  await scene.expectSent('mine while it was away');
  const team = createRealtimeClient(port, createTestTokens(server.dataFolder).staff('u_team'));
  await team.publish(CHANNEL, toMessage('theirs at last'));
  await room().message('theirs at last').waitFor();
  const texts = ['mine on the old server', 'mine while it was away', 'theirs at last'];
  const shown = (await room().readAll()).map(({ text }) => text);
  expect(shown.flatMap((text) => texts.filter((one) => text.includes(one)))).toEqual(texts);
  const stored = await team.history({ channel: CHANNEL, count: '2' });
  expect(stored.map(({ message }) => message.text)).toEqual(texts.slice(1));
});
