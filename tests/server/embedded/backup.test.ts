import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { runScript } from '#tests/support/process/node-process.ts';
import {
  createRealtimeClient,
  createTestTokens,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const ROOM = 'chat.c_001.team';
const OWNER_BITS = 0o777;

let folder: string;
let server: WebServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'replay-desk-backup-'));
  server = await startWebServer();
});
afterEach(async () => {
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** All messages of the room in a database file, in order. */
const readTexts = (file: string): readonly string[] => {
  const sql = new DatabaseSync(file, { readOnly: true });
  const rows = sql
    .prepare('SELECT message FROM log WHERE room = ? ORDER BY timetoken')
    .all('c_001/team');
  sql.close();
  return rows.map((row) => (JSON.parse(String(row['message'])) as { text: string }).text);
};

const back = async (...args: readonly string[]) => {
  const backup = runScript('server/bin/backup.ts', args, { DATA_DIR: server.dataDir });
  backup.endInput();
  return { code: await backup.exited, text: backup.output() };
};

const openWire = ({ port, dataDir }: WebServer) =>
  createRealtimeClient(port, createTestTokens(dataDir).staff());

test('a copy made under load contains everything acknowledged before, and a server starts on it', async () => {
  const wire = openWire(server);
  const before = Array.from({ length: 50 }, (_, n) => `before ${n}`);
  for (const text of before) await wire.publish(ROOM, toMessage(text));
  const own = { id: 'own', payload: { n: 1 } };
  expect((await wire.send('own', { method: 'POST', body: JSON.stringify(own) })).status).toBe(200);
  const end = new AbortController();
  const load = (async () => {
    let count = 0;
    for (; !end.signal.aborted; count += 1) {
      expect((await wire.publish(ROOM, toMessage(`during ${count}`))).status).toBe(200);
    }
    return count;
  })();
  const copy = join(folder, 'copies', 'desk.sqlite');
  const { code, text } = await back(copy);
  end.abort();
  expect(await load).toBeGreaterThan(0);
  expect(text).toMatch(/^\d{3,} messages copied to /);
  expect(code).toBe(0);
  expect(statSync(copy).mode & OWNER_BITS).toBe(0o600);

  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  copyFileSync(copy, join(dataDir, 'desk.sqlite'));
  const texts = readTexts(join(dataDir, 'desk.sqlite'));
  expect(texts.filter((line) => line.startsWith('before '))).toEqual(before);
  // A consistent snapshot has no gap between the first and the last message that arrived meanwhile.
  const during = texts.filter((line) => line.startsWith('during '));
  expect(during).toEqual(during.map((_, n) => `during ${n}`));
  const restored = await startWebServer({ DATA_DIR: dataDir });
  const restoredWire = openWire({ ...restored, dataDir });
  const [newest] = await restoredWire.history({ channel: ROOM, count: '1' });
  expect(newest?.message.text).toBe(texts.at(-1));
  expect((await restoredWire.send('own')).json()['entries']).toMatchObject([{ payload: { n: 1 } }]);
  await restored.dispose();
});

test('nothing is overwritten, and no partial copy remains', async () => {
  const copy = join(folder, 'desk.sqlite');
  expect(await back(copy)).toMatchObject({ code: 0 });
  const { size, mtimeMs } = statSync(copy);
  const again = await back(copy);
  expect(again).toMatchObject({ code: 1 });
  expect(again.text).toContain('already exists: nothing was overwritten');
  expect(statSync(copy)).toMatchObject({ size, mtimeMs });
  expect(existsSync(`${copy}.unfinished`)).toBe(false);
});

test('without data, or without a target, it exits with the reason', async () => {
  expect(await back()).toMatchObject({ code: 2 });
  expect(await back('a', 'b')).toMatchObject({ code: 2 });
  const nowhere = await back(join(server.dataDir, 'desk.sqlite', 'copy'));
  expect(nowhere).toMatchObject({ code: 1 });
  expect(nowhere.text).toContain('could not be copied');
  const backup = runScript('server/bin/backup.ts', [join(folder, 'x')], { DATA_DIR: folder });
  backup.endInput();
  expect(await backup.exited).toBe(1);
  expect(backup.output()).toContain('contains no data');
});
