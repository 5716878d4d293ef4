import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { type NodeProcess, runScript } from '#tests/support/process/node-process.ts';
import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { makeDataDir, removeDataDir } from '#tests/support/server/realtime-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createCookieClient, send } from '#tests/support/server/web-client.ts';

const CHANNEL = 'chat.c_016.team';

let dataDir: string;
let server: NodeProcess;
let port: number;
let staff: RealtimeClient;

const start = async (): Promise<void> => {
  const variables = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error' };
  server = runScript('server/bin/start.ts', ['--built'], variables);
  await server.waitForOutput('Press Ctrl+C');
  port = Number(/localhost:(\d+)/.exec(server.output())?.[1]);
  staff = createRealtimeClient(port, createTestTokens(dataDir).staff());
};
const kill = async (): Promise<void> => {
  server.kill('SIGKILL');
  await server.exited;
};

beforeEach(async () => {
  dataDir = makeDataDir();
  await start();
});
afterEach(async () => {
  await kill();
  removeDataDir(dataDir);
});

/** Writes for a while like another program; returns a function that ends it. */
const occupy = (): (() => void) => {
  const other = new DatabaseSync(join(dataDir, 'desk.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
};

test('while another program writes, publishes are deferred and nothing else waits', async () => {
  const leave = occupy();
  const messages = Array.from({ length: 20 }, (_, n) => toMessage(`message ${n}`));
  const publishAll = () => Promise.all(messages.map((message) => staff.publish(CHANNEL, message)));
  const [refused, health] = await Promise.all([publishAll(), send(port, '/api/health')]);
  expect(health.status).toBe(200);
  expect(refused.map(({ status }) => status)).toEqual(messages.map(() => 503));
  const read = await staff.history({ channel: CHANNEL, count: '100' });
  leave();
  expect(read).toEqual([]);
  const accepted = await publishAll();
  expect(accepted.map(({ status }) => status)).toEqual(messages.map(() => 200));
  expect(await staff.history({ channel: CHANNEL, count: '100' })).toHaveLength(messages.length);
});

test('streams end while the log cannot be read, and one line has the reason', async () => {
  const other = new DatabaseSync(join(dataDir, 'desk.sqlite'));
  other.exec('ALTER TABLE log RENAME TO elsewhere');
  other.close();
  const streams = await Promise.all([1, 2, 3].map(() => staff.stream('10000000000000000')));
  for (const stream of streams) await stream.until('the end', ({ isEnded }) => isEnded());
  // Its line comes after theirs.
  expect((await staff.publish(CHANNEL, toMessage('refused'))).status).toBe(503);
  await waitFor('a later line', () => server.output().includes('could not be stored'));
  const lines = server.output().split('\n');
  const ends = lines.filter((line) => line.includes('the log could not be read'));
  expect(ends.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 50, err: { message: 'no such table: log' } },
  ]);
});

/** Whether the store has a denied session. */
const isDenialStored = (): boolean => {
  const reader = new DatabaseSync(join(dataDir, 'desk.sqlite'), { readOnly: true });
  const found = reader.prepare('SELECT 1 FROM denied_session').get();
  reader.close();
  return found !== undefined;
};

test('a sign-out that cannot be stored yet ends its streams, and is stored later', async () => {
  const browser = createCookieClient(port);
  await browser.signIn();
  const copied = { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') };
  const { token } = (await browser.send('/api/realtime/token')).json();
  const stream = await createRealtimeClient(port, String(token)).stream();
  await stream.until('a beat', ({ beats }) => beats.length > 0);
  const leave = occupy();
  expect((await browser.post('/api/auth/signout')).status).toBe(200);
  await waitFor('the end of the stream', () => stream.isEnded());
  leave();
  await waitFor('the sign-out in the store', isDenialStored);
  await kill();
  await start();
  expect((await send(port, '/api/auth/session', { headers: copied })).json()).toEqual({});
});

test('no sign-in or sign-out counts as stored once the data file was replaced under the server', async () => {
  const browser = createCookieClient(port);
  await browser.signIn();
  // As a restored backup would.
  copyFileSync(join(dataDir, 'desk.sqlite'), join(dataDir, 'restored'));
  renameSync(join(dataDir, 'restored'), join(dataDir, 'desk.sqlite'));
  expect((await browser.post('/api/auth/signout')).status).toBe(200);
  await waitFor('the reason', () => server.output().includes('a sign-out could not be shared yet'));
  expect((await createCookieClient(port).signIn()).status).toBe(503);
  expect(server.output()).toContain('was deleted or replaced');
});

test.each([
  { what: 'data file', ends: ['', '-wal', '-shm'] },
  // A server killed from now on would have written the messages to nothing.
  { what: 'write-ahead log', ends: ['-wal'] },
])('nothing is acknowledged once the $what was deleted under the server', async ({ ends }) => {
  const before = await staff.publish(CHANNEL, toMessage('while it was there'));
  expect(before.status).toBe(200);
  for (const end of ends) rmSync(join(dataDir, `desk.sqlite${end}`));
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, n) => staff.publish(CHANNEL, toMessage(`lost ${n}`))),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
  expect((await send(port, '/api/health')).status).toBe(200);
  await waitFor('the reason', () => server.output().includes('was deleted or replaced'));
});
