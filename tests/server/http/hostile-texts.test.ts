import { afterAll, beforeAll, expect, test } from 'vitest';

import { MESSAGE_BYTES_MAX } from '#domain/limits.ts';
import { isTimetoken } from '#domain/timetoken.ts';
import { HOSTILE_TEXTS, toTextOfBytes } from '#tests/support/hostile-texts.ts';
import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { createCookieClient, FORM, send, toForm } from '#tests/support/server/web-client.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

const ROOM = 'chat.c_014.general';
const PAGE = 100;

let server: WebServer;
let staff: RealtimeClient;
beforeAll(async () => {
  server = await startWebServer({ PUBLIC_URL: 'https://desk.example.com' });
  staff = createRealtimeClient(server.port, createTestTokens(server.dataDir).staff());
});
afterAll(() => server.dispose());

/** Every text comes from a different address, so that no limit applies. */
const fromElsewhere = (index: number) => ({ 'x-forwarded-for': `198.51.100.${index % 250}` });

test('hostile texts are returned unchanged as messages', async () => {
  for (const text of HOSTILE_TEXTS) {
    expect((await staff.publish(ROOM, toMessage(text))).status).toBe(200);
  }
  const entries = await staff.history({ channel: ROOM, count: String(PAGE) });
  const texts = entries.slice(-HOSTILE_TEXTS.length).map(({ message }) => message.text);
  expect(texts).toEqual(HOSTILE_TEXTS);
});

test('hostile texts are wrong as email and password', async () => {
  const statuses = await Promise.all(
    HOSTILE_TEXTS.map(async (text, index) => {
      const fields = { email: text, password: text, callbackUrl: text };
      const path = '/api/auth/callback/credentials';
      const answer = await createCookieClient(server.port).post(path, fields, fromElsewhere(index));
      const url = new URL(String(answer.json()['url']));
      return `${answer.status} ${url.origin}${url.pathname}`;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set(['401 https://desk.example.com/login']));
});

test('hostile texts are one log line each, without control characters', async () => {
  const before = server.log().split('\n').length;
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    const body = toForm({ level: 'error', code: `HOSTILE_${index}`, details: text });
    const headers = { ...FORM, ...fromElsewhere(index) };
    const answer = await send(server.port, '/api/auth/_log', { method: 'POST', headers, body });
    expect([answer.status, answer.text]).toEqual([200, '{}']);
  }
  const lines = server
    .log()
    .split('\n')
    .slice(before - 1);
  const written = lines.filter((line) => line.includes('HOSTILE_'));
  const details = written.map((line) => (JSON.parse(line) as { details: string }).details);
  expect(details).toHaveLength(HOSTILE_TEXTS.length);
  expect(details.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
});

test('hostile texts in an address lead to the page or a refusal, never to another host', async () => {
  const found = new Set<string>();
  // One of them is a valid cursor.
  for (const text of HOSTILE_TEXTS.filter((text) => !isTimetoken(text))) {
    const part = encodeURIComponent(text.toWellFormed());
    const query = `channel=${part}&before=${part}&count=${part}`;
    const answers = await Promise.all([
      send(server.port, `/chat/${part}/${part}?callbackUrl=${part}`),
      send(server.port, `/api/auth/callback/${part}`),
      send(server.port, `/api/auth/signin/x?error=${part}&callbackUrl=${part}`),
      staff.send(`history?${query}`),
      staff.send(`stream?cursor=${part}`),
    ]);
    const places = answers.map(({ headers }) => String(headers['location'] ?? ''));
    expect(places.filter((place) => /^https?:\/\/(?!desk\.example\.com\/)/.test(place))).toEqual(
      [],
    );
    found.add(answers.map(({ status }) => status).join(' '));
  }
  // The last ones are too long for a request line.
  expect([...found].toSorted()).toEqual(['200 405 302 400 400', '431 405 302 431 400']);
});

test.each([
  ['0 bytes', 0, 200],
  ['1 byte', 1, 200],
  ['15,999 bytes', 15_999, 200],
  ['16,001 bytes', 16_001, 200],
  ['one byte under the limit', MESSAGE_BYTES_MAX - 1, 200],
  ['the limit', MESSAGE_BYTES_MAX, 200],
  ['one byte over the limit', MESSAGE_BYTES_MAX + 1, 413],
  ['1 MB', 1_000_000, 413],
])('a message of %s', async (_what, bytes, status) => {
  const bare = toMessage('');
  const envelope = Buffer.byteLength(JSON.stringify(bare));
  const text = toTextOfBytes(Math.max(0, bytes < 20_000 ? bytes : bytes - envelope));
  expect((await staff.publish(ROOM, { ...bare, text })).status).toBe(status);
});
