import { connect } from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { type Answer } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const ROOM = 'chat.c_016.team';
const MEGABYTE = 1_000_000;

let server: WebServer;
let token: string;
let staff: RealtimeClient;

beforeAll(async () => {
  server = await startWebServer({ LOG_LEVEL: 'silent' });
  token = createTestTokens(server.dataDir).staff();
  staff = createRealtimeClient(server.port, token);
});
afterAll(() => server.dispose());

const post = (path: string, body: string | Uint8Array): Promise<Answer> =>
  staff.send(path, { method: 'POST', body });
const publish = (message: unknown, channel: unknown = ROOM): Promise<Answer> =>
  post('publish', JSON.stringify({ channel, message }));

const MESSAGES: readonly unknown[] = [
  null,
  0,
  'text',
  [],
  [toMessage('x')],
  {},
  { id: 'a' },
  { text: 'no id' },
  { id: '', text: 'x' },
  { id: 'i'.repeat(129), text: 'x' },
  { id: 7, text: 'x' },
  { id: ['a'], text: 'x' },
  { id: { toString: 'a' }, text: 'x' },
  { id: 'lone \uD800', text: 'x' },
  { id: 'a', text: 7 },
  { id: 'a', text: null },
  { id: 'a', text: ['x'] },
];
const CHANNELS: readonly unknown[] = [
  null,
  7,
  {},
  [ROOM],
  '',
  '*',
  'chat.*.team',
  'chat..team',
  `${ROOM},chat.c_001.team`,
  `${ROOM}\n`,
  `${ROOM} `,
  `x${ROOM}`,
  'chat.c_016.TEAM',
  "chat.c_016'; DROP TABLE log; --.team",
  'chat.../../etc.team',
  `chat.${'c'.repeat(65)}.team`,
  `chat.${'c'.repeat(30_000)}.team`,
  '__proto__',
];
const BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '"x"',
  '{',
  '{"channel":',
  '\u0000',
  'channel=x&message=y',
  '['.repeat(60_000),
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  `{"channel":"${ROOM}","message":{"id":"deep","text":"x","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
];
const SINCES: readonly unknown[] = [
  undefined,
  null,
  [],
  'x',
  { [ROOM]: null },
  { [ROOM]: 17_000_000_000_000_000 },
  { [ROOM]: '1' },
  { [ROOM]: '-7000000000000000' },
  { 'no room': '17000000000000000' },
  { __proto__x: '17000000000000000' },
];
const QUERIES: readonly string[] = [
  'history',
  'history?channel=',
  'history?channel=%00',
  'history?channel=%FF%FE',
  `history?channel=${ROOM}&count=0`,
  `history?channel=${ROOM}&count=-1`,
  `history?channel=${ROOM}&count=101`,
  `history?channel=${ROOM}&count=1e30`,
  `history?channel=${ROOM}&count=NaN`,
  `history?channel=${ROOM}&count=`,
  `history?channel=${ROOM}&before=`,
  `history?channel=${ROOM}&before=abc`,
  `history?channel=${ROOM}&before=-1`,
  `history?channel=${ROOM}&after=1e30`,
  `history?channel=${ROOM}&after=${'9'.repeat(40)}`,
  `history?channel=${ROOM}&after=1700000000000000%00`,
  'stream?cursor=',
  'stream?cursor=abc',
  'stream?cursor=-1',
  'stream?cursor=1e30',
  `stream?cursor=${'9'.repeat(40)}`,
  "stream?cursor='; DROP TABLE log; --",
  'stream?cursor=%E0%A4%A',
];

const NEWEST: readonly unknown[] = [
  null,
  ROOM,
  { [ROOM]: true },
  [null],
  [[ROOM]],
  [ROOM, 'other'],
  Array.from({ length: 101 }, (_, i) => `chat.c_${i}.team`),
];

/** A refusal: 4xx with `{"error": "…"}`. */
const isRefusal = (answer: Answer): boolean =>
  answer.status >= 400 &&
  answer.status < 500 &&
  String(answer.headers['content-type']).startsWith('application/json') &&
  typeof answer.json()['error'] === 'string';

test('every malformed request is refused in JSON and nothing is stored', async () => {
  const before = (await staff.history({ channel: ROOM })).length;
  const cases: (readonly [string, Promise<Answer>])[] = [
    ...MESSAGES.map((message) => [`message ${JSON.stringify(message)}`, publish(message)] as const),
    ...CHANNELS.map(
      (channel) =>
        [`channel ${JSON.stringify(channel)}`, publish(toMessage('x'), channel)] as const,
    ),
    ...BODIES.map((body) => [`body ${body.slice(0, 40)}`, post('publish', body)] as const),
    ...BODIES.map((body) => [`counts ${body.slice(0, 40)}`, post('counts', body)] as const),
    ...BODIES.map((body) => [`newest ${body.slice(0, 40)}`, post('history', body)] as const),
    ...NEWEST.map(
      (channels) =>
        [
          `channels ${JSON.stringify(channels).slice(0, 40)}`,
          post('history', JSON.stringify({ channels })),
        ] as const,
    ),
    ...SINCES.map(
      (since) =>
        [`since ${JSON.stringify(since)}`, post('counts', JSON.stringify({ since }))] as const,
    ),
    ...QUERIES.map((query) => [query, staff.send(query.replaceAll(' ', '%20'))] as const),
  ];
  expect(cases.length).toBeGreaterThanOrEqual(60);
  const accepted: string[] = [];
  for (const [what, answer] of cases) if (!isRefusal(await answer)) accepted.push(what);
  expect(accepted).toEqual([]);
  expect(await staff.history({ channel: ROOM })).toHaveLength(before);
});

test('huge bodies, urls and lists are refused while others are served', async () => {
  const memory = process.memoryUsage().rss;
  const since = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, i) => [`chat.c_${i}.team`, '17000000000000000']),
  );
  // The server may close the connection before everything was sent: that also counts as a refusal.
  const huge = [
    post('publish', 'x'.repeat(10 * MEGABYTE)),
    publish(toMessage('x'.repeat(10 * MEGABYTE))),
    post('counts', JSON.stringify({ since })),
    post('history', JSON.stringify({ channels: Object.keys(since) })),
    staff.send(`history?channel=${'x'.repeat(MEGABYTE)}`),
    staff.send(`stream?cursor=${'1'.repeat(MEGABYTE)}`),
  ].map((answer) => answer.then(({ status }) => status).catch(() => 'hung up'));
  const [prompt] = await Promise.all([publish(toMessage('still here')), ...huge]);
  for (const status of await Promise.all(huge))
    expect([413, 414, 431, 'hung up']).toContain(status);
  expect(prompt.status).toBe(200);
  expect(process.memoryUsage().rss - memory).toBeLessThan(150 * MEGABYTE);
});

test('a partial request does not delay others, nor does one whose sender is gone', async () => {
  const sockets = Array.from({ length: 50 }, () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST /api/realtime/publish HTTP/1.1\r\nHost: localhost:${server.port}\r\nAuthorization: Bearer ${token}\r\nContent-Length: 60000\r\n\r\n{"channel":`,
    );
    return socket;
  });
  for (const socket of sockets.slice(25)) socket.destroy();
  expect((await publish(toMessage('beside the slow ones'))).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('streams whose readers vanish during the backlog do no harm', async () => {
  for (let i = 0; i < 30; i += 1) {
    const stream = await staff.stream('00000000000000000');
    stream.stop();
  }
  expect((await publish(toMessage('after the storm'))).status).toBe(200);
});
