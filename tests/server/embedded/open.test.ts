import { closeSync, existsSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { openEmbedded } from '#server/embedded/open.ts';
import { runScript } from '#tests/support/process/node-process.ts';
import { makeDataDir, mustOpen, removeDataDir } from '#tests/support/server/realtime-server.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = makeDataDir();
});
afterEach(() => removeDataDir(dataDir));

const open = (seedDemo: boolean | 'when-new' = false) => openEmbedded(dataDir, { seedDemo });
const refusal = async (): Promise<{ readonly kind: string; readonly message: string }> => {
  const opened = await open();
  if (opened.ok) throw new Error('opened');
  return opened.error;
};

test('a new folder is created, private and empty', async () => {
  dataDir = join(dataDir, 'not', 'there', 'yet');
  const data = await mustOpen(dataDir);
  expect(existsSync(join(dataDir, 'desk.sqlite'))).toBe(true);
  expect(data.hasDemo).toBe(false);
  expect([data.staffData.listTeams(), data.staffData.listProducers()]).toEqual([[], []]);
  data.close();
});

test('writes are synced to the disk at every commit', async () => {
  const { sql, close } = await mustOpen(dataDir);
  const pragma = (name: string): unknown => Object.values(sql.prepare(`PRAGMA ${name}`).get()!)[0];
  expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual([
    'wal',
    2,
    1,
  ]);
  close();
});

test('a folder in use is refused, here and in another process, until it is released', async () => {
  const data = await mustOpen(dataDir);
  const refused = await refusal();
  expect(refused.kind).toBe('in-use');
  expect(refused.message).toContain(dataDir);
  expect(refused.message).toContain('another Replay Desk process');
  const other = runScript('server/bin/start.ts', ['--built'], { DATA_DIR: dataDir, PORT: '0' });
  expect(await other.exited).toBe(1);
  expect(other.output()).toContain('in use by another Replay Desk process');
  data.close();
  (await mustOpen(dataDir)).close();
});

test.runIf(process.platform === 'linux')(
  'a folder that cannot be created stops the start with its reason',
  async () => {
    dataDir = '/proc/replay-desk/data';
    const start = runScript('server/bin/start.ts', ['--built'], { DATA_DIR: dataDir, PORT: '0' });
    expect(await start.exited).toBe(1);
    expect(start.output()).toContain(`The data folder ${dataDir} cannot be used: ENOENT`);
  },
);

test('the lock of a killed process does not block others', async () => {
  const holder = runScript('server/bin/start.ts', ['--built'], { DATA_DIR: dataDir, PORT: '0' });
  await holder.waitForOutput('Press Ctrl+C');
  expect((await refusal()).kind).toBe('in-use');
  holder.kill('SIGKILL');
  await holder.exited;
  (await mustOpen(dataDir)).close();
});

test('data of a newer program is not changed', async () => {
  (await mustOpen(dataDir)).close();
  const file = join(dataDir, 'desk.sqlite');
  const sql = new DatabaseSync(file);
  sql.exec('PRAGMA user_version = 999');
  sql.close();
  const refused = await refusal();
  expect(refused.kind).toBe('newer-schema');
  expect(refused.message).toMatch(/newer Replay Desk.*999/);
  const after = new DatabaseSync(file);
  expect(after.prepare('PRAGMA user_version').get()).toEqual({ user_version: 999 });
  after.close();
});

test('a file that is not a database, or a path that is not a folder, is refused with the reason', async () => {
  writeFileSync(
    join(dataDir, 'desk.sqlite'),
    'not a database at all, but long enough to look at'.repeat(50),
  );
  expect(await refusal()).toMatchObject({ kind: 'unusable' });
  // The refused start has released the folder.
  expect((await refusal()).kind).toBe('unusable');
  writeFileSync(join(dataDir, 'file'), '');
  dataDir = join(dataDir, 'file');
  expect(await refusal()).toMatchObject({ kind: 'unusable' });
  dataDir = join(dataDir, '..');
});

/** The format says that such a file is read-only, for every user (sqlite.org/fileformat.html, 1.3.3). */
const makeReadOnly = (file: string): void => {
  const WRITE_VERSION_AT = 18;
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.from([3]), 0, 1, WRITE_VERSION_AT);
  closeSync(opened);
};

test('a start that cannot write its database, or its lock, reports it', async () => {
  (await mustOpen(dataDir)).close();
  makeReadOnly(join(dataDir, 'desk.sqlite'));
  const start = runScript('server/bin/start.ts', ['--built'], { DATA_DIR: dataDir, PORT: '0' });
  expect(await start.exited).toBe(1);
  expect(start.output()).toBe(
    `Replay Desk did not start.\n  The data in ${dataDir} cannot be used: attempt to write a readonly database.\n`,
  );
  const lock = new DatabaseSync(join(dataDir, 'desk.lock'));
  lock.exec('CREATE TABLE any_table (id)');
  lock.close();
  makeReadOnly(join(dataDir, 'desk.lock'));
  expect(await refusal()).toMatchObject({
    kind: 'unusable',
    message: `The data folder ${dataDir} cannot be used: attempt to write a readonly database.`,
  });
});

test('a start continues if ended sessions cannot be deleted', async () => {
  const { sql, close } = await mustOpen(dataDir);
  sql.exec(`INSERT INTO denied_session (sid, until) VALUES ('ended', 1);
    CREATE TRIGGER refuse BEFORE DELETE ON denied_session
    BEGIN SELECT RAISE(ABORT, 'not now'); END`);
  close();
  const start = runScript('server/bin/start.ts', ['--built'], { DATA_DIR: dataDir, PORT: '0' });
  await start.waitForOutput('Press Ctrl+C');
  start.kill('SIGTERM');
  await start.exited;
  const line = start
    .output()
    .split('\n')
    .find((text) => text.includes('not now'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({
    level: 40,
    msg: 'ended sessions could not be deleted',
  });
});

test('a start that fails before its first commit leaves a folder that still counts as new', async () => {
  mkdirSync(dataDir, { recursive: true });
  const sql = new DatabaseSync(join(dataDir, 'desk.sqlite'));
  sql.exec('PRAGMA journal_mode = WAL');
  sql.close();
  const opened = await open('when-new');
  if (!opened.ok) throw new Error(opened.error.message);
  expect(opened.value.hasDemo).toBe(true);
  opened.value.close();
});

test('demo data is added on request: to new folders only, or to empty data, never twice', async () => {
  const flags: unknown[] = [];
  const count = async (seedDemo: boolean | 'when-new'): Promise<void> => {
    const opened = await open(seedDemo);
    if (!opened.ok) throw new Error(opened.error.message);
    const { sql, hasDemo, close } = opened.value;
    const rows = sql.prepare('SELECT count(*) AS n FROM log').get()!['n'];
    flags.push([hasDemo, Number(rows) > 0]);
    close();
  };
  await count(false);
  await count('when-new');
  await count(true);
  await count(true);
  expect(flags).toEqual([
    [false, false],
    [false, false],
    [true, true],
    [true, true],
  ]);
});

test('staff sign in with their own password; the address is case-insensitive', async () => {
  const { accounts, close } = await mustOpen(dataDir, true);
  expect(await accounts.verify('producer@example.com', 'producer')).toMatchObject({
    uid: 'u_producer',
    email: 'producer@example.com',
    role: 'producer',
  });
  expect(await accounts.verify(' Team@Example.COM ', 'teammate')).toMatchObject({
    uid: 'u_team',
    role: 'team',
  });
  const wrong = [
    ['producer@example.com', 'teammate'],
    ['producer@example.com', ''],
    ['nobody@example.com', 'producer'],
    ["' OR 1=1 --", 'producer'],
    ['', ''],
    ['producer@example.com', 'p'.repeat(5000)],
    ['producer@example.com\u0000', 'producer'],
  ] as const;
  const answers = await Promise.all(wrong.map(([email, word]) => accounts.verify(email, word)));
  expect(answers.filter((user) => user !== undefined)).toEqual([]);
  close();
});

test('passwords are stored as argon2id with 19 MiB, two passes, one lane', async () => {
  const { sql, close } = await mustOpen(dataDir, true);
  const hashes = sql.prepare('SELECT password_hash FROM staff_account').all();
  expect(hashes).toHaveLength(2);
  for (const row of hashes) {
    expect(row['password_hash']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  }
  close();
});

test('an unknown address takes as much work as a wrong password', async () => {
  const { accounts, close } = await mustOpen(dataDir, true);
  const times = { known: [] as number[], unknown: [] as number[] };
  const measure = async (kind: 'known' | 'unknown', email: string): Promise<void> => {
    const before = process.cpuUsage();
    await accounts.verify(email, 'wrong password');
    const { user, system } = process.cpuUsage(before);
    times[kind].push(user + system);
  };
  // Processor time is independent of other processes.
  for (let i = 0; i < 9; i += 1) {
    await measure('known', 'producer@example.com');
    await measure('unknown', 'nobody@example.com');
  }
  // The minimum is the work itself; the rest is other work of this process.
  const [known, unknown] = [Math.min(...times.known), Math.min(...times.unknown)];
  expect(unknown / known).toBeGreaterThan(0.33);
  expect(unknown / known).toBeLessThan(3);
  close();
});
