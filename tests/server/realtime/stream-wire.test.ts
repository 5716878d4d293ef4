import { connect, type Socket } from 'node:net';

import { afterEach, beforeEach, expect, test } from 'vitest';

import {
  createRealtimeClient,
  createTestTokens,
  type RealtimeClient,
  toMessage,
} from '#tests/support/server/realtime-client.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { startWebServer, type WebServer } from '#tests/support/server/web-server.ts';

let server: WebServer;
let token: string;
let staff: RealtimeClient;
let socket: Socket;
let received: string;

beforeEach(async () => {
  server = await startWebServer();
  token = createTestTokens(server.dataDir).staff();
  staff = createRealtimeClient(server.port, token);
  received = '';
  socket = connect(server.port, '127.0.0.1');
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
});
afterEach(async () => {
  socket.destroy();
  await server.dispose();
});

const toHead = (line: string, length = 0): string =>
  `${line}\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${token}\r\ncontent-length: ${length}\r\n\r\n`;
const toStream = (version: string): string => toHead(`GET /api/realtime/stream HTTP/${version}`);

const publish = async (text: string): Promise<void> => {
  const answer = await staff.publish('chat.c_016.team', toMessage(text));
  expect(answer.status).toBe(200);
  await waitFor('the entry', () => received.includes(text));
};

/** The content of a chunked body so far (RFC 9112 §7.1). */
const readChunks = (body: string): string => {
  let content = '';
  for (let at = 0; at < body.length;) {
    const end = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, end), 16);
    const from = end + 2;
    expect(body.slice(from + size, from + size + 2)).toBe('\r\n');
    content += body.slice(from, from + size);
    at = from + size + 2;
  }
  return content;
};

const toBody = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

test('a stream is sent in chunks', async () => {
  socket.write(toStream('1.1'));
  await waitFor('a beat', () => received.includes('event: beat'));
  await publish('first');
  await publish('second');
  expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\ntransfer-encoding: chunked\r\n/i);
  const events = readChunks(toBody(received)).split('\n\n');
  expect(events.map((event) => event.split('\n')[0])).toEqual([
    'event: beat',
    'event: entries',
    'event: entries',
    '',
  ]);
});

test('a pipelined stream begins after the response before it', async () => {
  const body = JSON.stringify({ channel: 'chat.c_016.team', message: toMessage('first') });
  const head = toHead('POST /api/realtime/publish HTTP/1.1', Buffer.byteLength(body));
  socket.write(head + body + toStream('1.1'));
  await waitFor('a beat', () => received.includes('event: beat'));
  await publish('just now 4711');
  const [, published, stream, ...more] = received.split('HTTP/1.1 200 OK\r\n');
  expect(more).toEqual([]);
  expect(toBody(published ?? '')).toMatch(/^\{"timetoken":"\d{17}"/);
  expect(readChunks(toBody(stream ?? ''))).toMatch(/^event: (?:beat|entries)\n[\s\S]*4711"/);
});

test('a stream of HTTP/1.0 has no chunks', async () => {
  socket.write(toStream('1.0'));
  await waitFor('a beat', () => received.includes('event: beat'));
  await publish('just now 4711');
  expect(received).not.toMatch(/transfer-encoding/i);
  expect(toBody(received)).toMatch(/^event: beat\n.*\n\nevent: entries\n.*"just now 4711".*\n\n$/);
});
