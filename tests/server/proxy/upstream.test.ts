import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { askUpstream } from '#server/kernel/upstream.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n[]';

let server: Server;
let connections: number;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** Answers one request per connection and cuts it at the next one, like an idle timeout. */
const listen = async (answer = ANSWER): Promise<string> => {
  connections = 0;
  server = createServer((socket) => {
    let asked = '';
    connections += 1;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      asked += chunk.toString();
      if (asked.split('HTTP/1.1').length > 2) socket.destroy();
      else if (/\r\n\r\n(?:\{\})?$/.test(asked)) socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

test('without a complete answer in time the error is a timeout', async () => {
  const url = await listen(ANSWER.slice(0, -1));
  expect(await askUpstream({ url, timeoutMs: 1 })).toEqual({
    ok: false,
    error: { kind: 'timeout' },
  });
});

test.each([
  ['a list', {}],
  ['a sign-in', { body: '{}' }],
])('%s is never requested over a reused connection', async (_what, rest) => {
  const url = await listen();
  for (let n = 1; n <= 6; n += 1) {
    expect(await askUpstream({ url, ...rest })).toEqual({ ok: true, value: [] });
    expect(connections).toBe(n);
  }
});
