import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import { isTimetoken } from '#domain/timetoken.ts';
import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { createCookieClient } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const EMPTY_ROOM = 'chat.c_016.team';

let server: WebServer;
let tokens: ReturnType<typeof createTestTokens>;
let producer: RealtimeClient;

const as = (token: string): RealtimeClient => createRealtimeClient(server.port, token);

beforeAll(async () => {
  server = await startWebServer();
  tokens = createTestTokens(server.dataDir);
  producer = as(tokens.staff());
});
afterAll(() => server.dispose());

describe('tokens', () => {
  test('require a session', async () => {
    const browser = createCookieClient(server.port);
    const refused = await browser.send('/api/realtime/token');
    expect([refused.status, typeof refused.json()['error']]).toEqual([401, 'string']);
    await browser.signIn();
    const answer = await browser.send('/api/realtime/token');
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { token, expires } = answer.json() as { token: string; expires: number };
    expect(expires).toBeGreaterThan(Date.now());
    const published = await as(token).publish('chat.c_015.general', toMessage('who am I?'));
    expect(published.status).toBe(200);
    const [entry] = await as(token).history({ channel: 'chat.c_015.general', count: '1' });
    expect(entry?.publisher).toBe('u_producer');
  });

  test('end with their session', async () => {
    const browser = createCookieClient(server.port);
    await browser.signIn();
    const token = (await browser.send('/api/realtime/token')).json()['token'] as string;
    const stream = await as(token).stream();
    await stream.until('the first beat', ({ beats }) => beats.length === 1);
    await browser.post('/api/auth/signout', { callbackUrl: '/' });
    await stream.until('the end', ({ isEnded }) => isEnded());
    expect((await as(token).publish(EMPTY_ROOM, toMessage('late'))).status).toBe(401);
    expect((await as(token).send('stream')).status).toBe(401);
  });

  test.each([
    ['publish', { channel: EMPTY_ROOM, message: toMessage('held back') }],
    ['history', { channels: ['chat.c_001.team'] }],
    ['counts', { since: { 'chat.c_001.team': '00000000000000000' } }],
  ])('are refused if their session ends while the body arrives: %s', async (path, value) => {
    const browser = createCookieClient(server.port);
    await browser.signIn();
    const token = (await browser.send('/api/realtime/token')).json()['token'] as string;
    const body = JSON.stringify(value);
    const sending = request({
      port: server.port,
      path: `/api/realtime/${path}`,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write(body.slice(0, -1));
    // The server has begun to handle the request once it handles a later one.
    await browser.post('/api/auth/signout', { callbackUrl: '/' });
    sending.end(body.slice(-1));
    const [answer] = await answered;
    answer.resume();
    expect(answer.statusCode).toBe(401);
    const entries = await producer.history({ channel: EMPTY_ROOM });
    expect(entries.map(({ message }) => message.text)).not.toContain('held back');
  });

  test('are required by every other request; a cookie does not count', async () => {
    const browser = createCookieClient(server.port);
    await browser.signIn();
    const body = JSON.stringify({ channel: EMPTY_ROOM, message: toMessage('no token') });
    const answers = await Promise.all([
      browser.send('/api/realtime/publish', { method: 'POST', body }),
      browser.send(`/api/realtime/history?channel=${EMPTY_ROOM}`),
      browser.send('/api/realtime/counts', { method: 'POST', body: '{"since":{}}' }),
      browser.send('/api/realtime/history', { method: 'POST', body: '{"channels":[]}' }),
      browser.send('/api/realtime/stream'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });
});

describe('publish', () => {
  test('stores once per publisher, room and id and returns the same timetoken', async () => {
    const message = toMessage('once');
    const answers = [
      await producer.publish('chat.c_002.producers', message),
      await producer.publish('chat.c_002.producers', { ...message, text: 'twice' }),
    ];
    const timetokens = answers.map((answer) => answer.json()['timetoken']);
    expect(isTimetoken(timetokens[0])).toBe(true);
    expect(timetokens[1]).toBe(timetokens[0]);
    const [last] = await producer.history({ channel: 'chat.c_002.producers', count: '1' });
    expect(last).toMatchObject({ timetoken: timetokens[0], message });
  });

  test('takes the publisher from the token, whatever the body claims', async () => {
    const message = { ...toMessage('forged'), publisher: 'u_team', uuid: 'u_team', uid: 'u_team' };
    await as(tokens.client('c_003')).publish('chat.c_003.team', message);
    const [entry] = await producer.history({ channel: 'chat.c_003.team', count: '1' });
    expect(entry?.publisher).toBe('client:c_003');
    expect(entry?.message).toEqual(message);
  });

  test('keeps unknown fields and every character', async () => {
    const text = 'nul \u0000 ‮rtl‬ 👩‍👩‍👧‍👦 \uD800 lone, data: x\n\nevent: beat\r\u2028';
    const raw = `{"channel":"chat.c_004.team","message":{"id":"odd","text":${JSON.stringify(text)},"__proto__":{"x":1},"deep":[[[{"a":null}]]]}}`;
    expect((await producer.send('publish', { method: 'POST', body: raw })).status).toBe(200);
    const [entry] = await producer.history({ channel: 'chat.c_004.team', count: '1' });
    expect(entry?.message.text).toBe(text);
    expect(JSON.stringify(entry?.message)).toContain('"__proto__":{"x":1},"deep":[[[{"a":null}]]]');
  });

  test('accepts exactly 32,768 bytes and refuses one more with 413', async () => {
    const bare = toMessage('');
    const room = MESSAGE_BYTES_MAX - Buffer.byteLength(JSON.stringify(bare));
    const fits = { ...bare, text: `${'é'.repeat(Math.floor(room / 2))}${room % 2 ? 'x' : ''}` };
    expect(Buffer.byteLength(JSON.stringify(fits))).toBe(MESSAGE_BYTES_MAX);
    expect((await producer.publish(EMPTY_ROOM, fits)).status).toBe(200);
    const over = await producer.publish(EMPTY_ROOM, { ...toMessage(''), text: `${fits.text}x` });
    expect(over.status).toBe(413);
    expect(over.json()['error']).toMatch(/too large/);
  });

  test('refuses invalid rooms and unknown clients', async () => {
    const status = async (channel: string): Promise<number> =>
      (await producer.publish(channel, toMessage('hello?'))).status;
    expect(await status('chat.c_001.kitchen')).toBe(400);
    expect(await status('chat.*.team')).toBe(400);
    expect(await status('')).toBe(400);
    expect(await status('chat.c_777.team')).toBe(410);
  });
});

describe('a client', () => {
  test('reads, writes and counts its own rooms and no others', async () => {
    const client = as(tokens.client('c_005'));
    expect((await client.publish('chat.c_005.general', toMessage('mine'))).status).toBe(200);
    expect((await client.publish('chat.c_006.general', toMessage('not mine'))).status).toBe(403);
    expect((await client.send('history?channel=chat.c_005.team')).status).toBe(200);
    expect((await client.send('history?channel=chat.c_006.team')).status).toBe(403);
    const count = async (channel: string): Promise<number> => {
      const body = JSON.stringify({ since: { [channel]: '00000000000000000' } });
      return (await client.send('counts', { method: 'POST', body })).status;
    };
    expect([await count('chat.c_005.team'), await count('chat.c_006.team')]).toEqual([200, 403]);
    const channels = ['chat.c_005.team', 'chat.c_006.team'];
    const body = JSON.stringify({ channels });
    expect((await client.send('history', { method: 'POST', body })).status).toBe(403);
  });

  test('gets 410 if it does not exist', async () => {
    const nobody = as(tokens.client('c_777'));
    expect((await nobody.send('history?channel=chat.c_777.team')).status).toBe(410);
    expect((await nobody.publish('chat.c_777.team', toMessage('boo'))).status).toBe(410);
  });
});

describe('history and counts', () => {
  test('page through a room both ways without a gap or a duplicate', async () => {
    const channel = 'chat.c_001.team';
    const all: string[] = [];
    let before: string | undefined;
    for (;;) {
      const page = await producer.history({ channel, count: '25', ...(before && { before }) });
      all.unshift(...page.map(({ timetoken }) => timetoken));
      before = page[0]?.timetoken;
      if (page.length < 25) break;
    }
    expect(all).toHaveLength(140);
    expect([...new Set(all)].toSorted()).toEqual(all);
    const [third = '', ninth = ''] = [all[2], all[8]];
    const inner = await producer.history({ channel, after: third, before: ninth });
    expect(inner.map(({ timetoken }) => timetoken)).toEqual(all.slice(3, 8));
    const after = await producer.history({ channel, count: '2', after: third });
    expect(after.map(({ timetoken }) => timetoken)).toEqual(all.slice(-2));
    const body = JSON.stringify({ since: { [channel]: third, 'chat.c_777.team': third } });
    const counts = (await producer.send('counts', { method: 'POST', body })).json()['counts'];
    expect(counts).toEqual({ [channel]: 137, 'chat.c_777.team': 0 });
  });

  test('of many rooms are whole pages, until the answer is large', async () => {
    const client = as(tokens.client('c_011'));
    const heavy = { ...toMessage('heavy'), text: 'x'.repeat(30_000) };
    for (let n = 0; n < 3; n += 1)
      await client.publish('chat.c_011.general', { ...heavy, id: `${n}` });
    const newest = async (channels: readonly string[]) => {
      const body = JSON.stringify({ channels });
      const answer = await producer.send('history', { method: 'POST', body });
      const pages = answer.json()['pages'] as Record<string, { entries: unknown[]; more: boolean }>;
      return Object.entries(pages).map(([name, page]) => [name, page.entries.length, page.more]);
    };
    const [first, empty, large] = ['chat.c_001.team', EMPTY_ROOM, 'chat.c_011.general'];
    expect(await newest([first, 'chat.c_777.team', empty, first])).toEqual([
      [first, 25, true],
      [empty, (await producer.history({ channel: empty })).length, false],
    ]);
    // 90 kB are one whole page, and nothing follows it.
    expect((await newest([large, first])).map(([channel]) => channel)).toEqual([large]);
  });

  test('default to 25 entries', async () => {
    expect(await producer.history({ channel: 'chat.c_001.general' })).toHaveLength(25);
  });
});

test('concurrent publishes get separate, strictly rising timetokens', async () => {
  const clients = ['c_007', 'c_008', 'c_009'].map((id) => ({ id, client: as(tokens.client(id)) }));
  const answers = await Promise.all(
    Array.from({ length: 150 }, (_, index) => {
      const { id, client } = clients[index % 3]!;
      return client.publish(`chat.${id}.team`, toMessage(`${index}`));
    }),
  );
  const timetokens = answers.map((answer) => answer.json()['timetoken'] as string);
  expect(new Set(timetokens).size).toBe(150);
  for (const { id } of clients) {
    const page = await producer.history({ channel: `chat.${id}.team`, count: '50' });
    const stored = page.map(({ timetoken }) => timetoken);
    expect(stored).toEqual(stored.toSorted());
    expect(timetokens).toEqual(expect.arrayContaining(stored));
  }
});
