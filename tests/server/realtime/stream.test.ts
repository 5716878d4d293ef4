import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import {
  createRealtimeClient,
  createTestTokens,
  type Entry,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

let server: WebServer;
let tokens: ReturnType<typeof createTestTokens>;
let staff: RealtimeClient;

const as = (token: string): RealtimeClient => createRealtimeClient(server.port, token);

beforeEach(async () => {
  server = await startWebServer();
  tokens = createTestTokens(server.dataDir);
  staff = as(tokens.staff());
});
afterEach(async () => {
  vi.useRealTimers();
  await server.dispose();
});

const publish = async (channel: string, text: string, by = staff): Promise<string> => {
  const answer = await by.publish(channel, toMessage(text));
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json()['timetoken'] as string;
};
const toTexts = (entries: readonly Entry[]): readonly string[] =>
  entries.map(({ message }) => message.text);
const countUp = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `message ${index + 1}`);

test('starts now without a cursor, beats at once, and forbids buffering and caching', async () => {
  const stream = await staff.stream();
  await stream.until('a beat', ({ beats }) => beats.length === 1);
  expect(stream.entries).toEqual([]);
  const timetoken = await publish('chat.c_016.team', 'live');
  await stream.until('the entry', ({ entries }) => entries.length === 1);
  expect(stream.entries[0]).toMatchObject({
    channel: 'chat.c_016.team',
    timetoken,
    publisher: 'u_producer',
  });
  expect(timetoken > stream.beats[0]!).toBe(true);
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(stream.headers.get('cache-control')).toMatch(/no-store/);
  expect(stream.headers.get('x-accel-buffering')).toBe('no');
  stream.stop();
});

test('resumes from a cursor over all rooms: the backlog first, then a beat, then live', async () => {
  const cursor = await publish('chat.c_016.team', 'known');
  for (const [index, text] of countUp(350).entries()) {
    await publish(`chat.c_0${10 + (index % 7)}.general`, text);
  }
  const stream = await staff.stream(cursor);
  await stream.until('the backlog', ({ beats }) => beats.length === 1);
  expect(toTexts(stream.entries)).toEqual(countUp(350));
  expect(Math.max(...stream.sizes)).toBeLessThanOrEqual(100);
  expect(stream.beats[0]).toBe(stream.entries.at(-1)?.timetoken);
  await publish('chat.c_001.team', 'live');
  await stream.until('the live one', ({ entries }) => entries.length === 351);
  stream.stop();
});

test('a restart between two reads loses nothing and repeats nothing', async () => {
  const first = await staff.stream();
  await first.until('a beat', ({ beats }) => beats.length === 1);
  await publish('chat.c_016.team', 'one');
  await first.until('one', ({ entries }) => entries.length === 1);
  const cursor = first.entries[0]!.timetoken;
  await publish('chat.c_016.general', 'two');
  server = await server.restart();
  await first.until('the end', ({ isEnded }) => isEnded());
  await publish('chat.c_016.producers', 'three');
  const second = await staff.stream(cursor);
  await second.until('the rest', ({ entries }) => entries.length === 2);
  expect(toTexts([...first.entries.slice(0, 1), ...second.entries])).toEqual([
    'one',
    'two',
    'three',
  ]);
  second.stop();
});

test('a client receives only its own rooms, live and from a cursor', async () => {
  const cursor = await publish('chat.c_001.team', 'known');
  const client = as(tokens.client('c_002'));
  const live = await client.stream();
  await live.until('a beat', ({ beats }) => beats.length === 1);
  await publish('chat.c_001.team', 'for another');
  await publish('chat.c_002.team', 'for me');
  await publish('chat.c_002.producers', 'mine', client);
  await live.until('both', ({ entries }) => entries.length === 2);
  const resumed = await client.stream(cursor);
  await resumed.until('both again', ({ entries }) => entries.length === 2);
  for (const stream of [live, resumed]) {
    expect(toTexts(stream.entries)).toEqual(['for me', 'mine']);
    stream.stop();
  }
});

test('a cursor ahead of the log counts as now', async () => {
  const stream = await staff.stream('99999999999999999');
  await stream.until('a beat', ({ beats }) => beats.length === 1);
  expect(stream.beats[0]! < '99999999999999999').toBe(true);
  await publish('chat.c_016.team', 'heard');
  await stream.until('the entry', ({ entries }) => entries.length === 1);
  stream.stop();
});

test('malformed cursors are refused', async () => {
  const cursors = ['', '0', 'abc', '-1', '1e30', '1'.repeat(40), '1700000000000000x'];
  const answers = await Promise.all(cursors.map((cursor) => staff.send(`stream?cursor=${cursor}`)));
  expect(answers.map(({ status }) => status)).toEqual(cursors.map(() => 400));
  expect((await staff.send('stream', { method: 'HEAD' })).status).toBe(200);
  expect((await staff.send('stream', { method: 'POST' })).status).toBe(405);
});

test('ends when its token ends, and not a moment earlier', async () => {
  const LEFT_MS = 10_000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const past = createTestTokens(server.dataDir, () => Date.now() - 15 * 60_000 + LEFT_MS);
  const stream = await as(past.staff()).stream();
  await stream.until('a beat', ({ beats }) => beats.length === 1);
  vi.advanceTimersByTime(LEFT_MS - 1);
  await publish('chat.c_016.team', 'live');
  await stream.until('the entry', ({ entries }) => entries.length === 1);
  expect(stream.isEnded()).toBe(false);
  vi.advanceTimersByTime(1);
  await stream.until('the end', ({ isEnded }) => isEnded());
});

test('a server clock that steps back by weeks ends no stream, but new ones need a new token', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const current = createTestTokens(server.dataDir, () => Date.now());
  const token = current.staff();
  const stream = await as(token).stream();
  await stream.until('a beat', ({ beats }) => beats.length === 1);
  vi.setSystemTime(Date.now() - 40 * 86_400_000);
  expect((await as(token).send('stream')).status).toBe(401);
  expect((await as(current.staff()).send('history?channel=chat.c_016.team')).status).toBe(200);
  await as(current.staff()).publish('chat.c_016.team', toMessage('live'));
  await stream.until('the entry', ({ entries }) => entries.length === 1);
  expect(stream.isEnded()).toBe(false);
  stream.stop();
});

test('a reader that accepts nothing does not delay others, and later gets everything in order', async () => {
  const slow = request({
    port: server.port,
    host: '127.0.0.1',
    path: '/api/realtime/stream',
    headers: { authorization: `Bearer ${tokens.staff()}` },
  }).end();
  const [incoming] = (await once(slow, 'response')) as [IncomingMessage];
  incoming.pause();
  const witness = await staff.stream();
  await witness.until('a beat', ({ beats }) => beats.length === 1);
  const texts = countUp(600).map((text) => text.padEnd(24_000, '.'));
  for (const text of texts) await publish('chat.c_016.team', text);
  await witness.until('everything', ({ entries }) => entries.length === texts.length);
  let received = '';
  incoming.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  incoming.resume();
  await waitFor('the slow reader', () => received.includes(`message ${texts.length}.`));
  const seen = [...received.matchAll(/"text":"(message \d+)\./g)].map(([, text]) => text);
  expect(seen).toEqual(countUp(600));
  slow.destroy();
  witness.stop();
});
