import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { type FaultScene, onceEach, openScene, ROOM } from '#tests/support/scenes/fault-scene.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const PUBLISH = /^\/api\/realtime\/publish/;
const [BEFORE, AFTER] = ['Accepted before the crash.', 'Accepted after the crash.'];

let scene: FaultScene;

beforeAll(async () => {
  scene = await openScene({ browser: 'whole' });
});
afterAll(() => scene.dispose());

/**
 * The start of a record: checksum, length and type, and fewer bytes than announced (LevelDB,
 * `doc/log_format.md`).
 */
const toTornRecord = (): Buffer => {
  const record = Buffer.alloc(107, 'x');
  record.writeUInt32LE(0x12_34_56_78, 0);
  record.writeUInt16LE(4096, 4);
  record.writeUInt8(1, 6);
  return record;
};

/** Paths of the log that the origin's databases share. */
const findLogs = async (): Promise<readonly string[]> => {
  const folder = join(scene.user.profile, 'Default', 'IndexedDB');
  const stores = await readdir(folder);
  const files = await Promise.all(
    stores.map(async (store) => {
      const names = await readdir(join(folder, store));
      return names.filter((name) => name.endsWith('.log')).map((name) => join(folder, store, name));
    }),
  );
  return files.flat();
};

test('a message accepted after a crash in the middle of a write survives another crash', async () => {
  const { backend, room, user } = scene;
  backend.proxy.break(PUBLISH, { kind: 'refuse' });
  await room().send(BEFORE);
  // A browser that closes writes its cookies to disk.
  await user.closeBrowser();
  const torn = await findLogs();
  expect(torn).toHaveLength(1);
  for (const file of torn) await appendFile(file, toTornRecord());
  await user.openBrowser();
  await user.visit(ROOM);
  await room().send(AFTER);
  // Chromium replaces the log some milliseconds after it reported success.
  await waitFor('a new log', async () => {
    const logs = await findLogs();
    return logs.length === 1 && !torn.includes(logs[0] ?? '');
  });
  await user.killBrowser();
  backend.proxy.heal();
  await user.openBrowser();
  await user.visit(ROOM);
  await scene.expectSent(AFTER);
  expect(await scene.findEverywhere([BEFORE, AFTER])).toEqual(onceEach([BEFORE, AFTER]));
});
