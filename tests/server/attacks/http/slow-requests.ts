import { connect, type Socket } from 'node:net';

import { createCookieClient, send } from '#tests/support/server/web-client.ts';

import type { Attack } from '../attack.ts';

interface Slow {
  readonly socket: Socket;
  /** Everything received until the server closed the connection. */
  readonly answer: Promise<string>;
}

/** Begins a request and sends a byte a second until the server closes the connection. */
const trickle = (port: number, begin: string): Slow => {
  const socket = connect(port, '127.0.0.1', () => socket.write(begin));
  const drop = setInterval(() => socket.write('x'), 1000);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const answer = new Promise<string>((resolve) => {
    socket.once('close', () => {
      clearInterval(drop);
      resolve(text);
    });
  });
  return { socket, answer };
};

const HEADERS = 'POST /api/auth/_log HTTP/1.1\r\nhost: localhost\r\nx-slow: ';
const BODY =
  'POST /api/auth/_log HTTP/1.1\r\nhost: localhost\r\ncontent-length: 60000\r\n\r\ncode=';

/** The sender never finishes: any answer is the server's decision. */
const waitOut =
  (begin: string): Attack['attempt'] =>
  async ({ server }) => {
    const answer = await trickle(server.port, begin).answer;
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const isOurs = head.toLowerCase().includes("default-src 'none'");
    return [head.slice(9, 12), body, isOurs];
  };

const CUT = ['408', '{"error":"Request Timeout"}', true];

/** Requests that never end: each waits for the server's timeout. */
export const slowRequests: readonly Attack[] = [
  { title: 'headers that never end', attempt: waitOut(HEADERS), outcome: CUT },
  { title: 'a body that never ends', attempt: waitOut(BODY), outcome: CUT },
];

/** Many of them concurrently. */
export const crowds: readonly Attack[] = [
  {
    title: 'two hundred partial requests, while others are served',
    attempt: async ({ server }) => {
      const half = Array.from({ length: 200 }, (_, index) =>
        trickle(server.port, index % 2 === 0 ? HEADERS : BODY),
      );
      const client = createCookieClient(server.port);
      const statuses = [
        (await client.signIn()).status,
        (await client.send('/api/proxy/staff/teams')).status,
        (await send(server.port, '/')).status,
      ];
      for (const { socket } of half) socket.destroy();
      await Promise.all(half.map(({ answer }) => answer));
      return statuses;
    },
    outcome: [200, 200, 200],
  },
];
