import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { fail } from '#domain/result.ts';
import { type HttpListener, openListener } from '#server/http/listener.ts';
import { PIPELINED_MAX } from '#server/kernel/limits.ts';
import { createLog } from '#server/kernel/log.ts';
import { send } from '#tests/support/server/web-client.ts';

const open = async () => {
  const opened = await openListener({ host: '127.0.0.1', port: 0, log: createLog('silent') });
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
};

const limitsSchema = z.object({ open_files: z.object({ soft: z.number() }) });

const countConnections = ({ server }: HttpListener): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });

test('a refused connection is closed even if its peer never closes its side', async () => {
  const listener = await open();
  const peer = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true });
  peer.on('error', () => undefined);
  peer.write('not HTTP\r\n\r\n');
  let answer = '';
  peer.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  await once(peer, 'end');
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  await expect.poll(() => countConnections(listener)).toBe(0);
  peer.destroy();
  await listener.close();
});

test('a connection whose peer does not read its response is closed after a time', async () => {
  const listener = await open();
  expect(listener.server.timeout).toBe(60_000);
  const size = 64 * 1024 * 1024;
  listener.use(({ socket }, outgoing) => {
    // Not the server's own timeout: it would also close a connection whose request comes late.
    socket.setTimeout(100);
    outgoing.end(Buffer.alloc(size));
  });
  const peer = connect({ port: listener.port, host: '127.0.0.1' });
  peer.on('error', () => undefined);
  peer.pause();
  peer.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(listener.server, 'request');
  await expect.poll(() => countConnections(listener)).toBe(0);
  peer.destroy();
  await listener.close();
});

test('a connection may have a few requests without an answer, and is closed with more', async () => {
  const listener = await open();
  const answers: ServerResponse[] = [];
  listener.use((incoming, outgoing) => {
    answers.push(outgoing);
    if (incoming.url !== '/slow') outgoing.end(incoming.url);
  });
  const toRequest = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  const peer = connect({ port: listener.port, host: '127.0.0.1' });
  let received = '';
  peer.on('data', (chunk) => (received += String(chunk)));
  peer.on('error', () => undefined);
  peer.write(['/slow', '/two', '/three', '/four'].map(toRequest).join(''));
  await expect.poll(() => answers.length).toBe(1);
  // Another connection is answered, after this one's next requests have arrived.
  await send(listener.port, '/');
  expect(answers.length).toBe(2);
  answers[0]?.end('/slow');
  const found = () => received.match(/\/[a-z]+/g);
  await expect.poll(found).toEqual(['/slow', '/two', '/three', '/four']);
  // Answered requests no longer count.
  answers.length = 0;
  peer.write(toRequest('/slow').repeat(PIPELINED_MAX + 500));
  await once(peer, 'close');
  expect(answers.length).toBe(1);
  await listener.close();
});

test('for a port in use another one is suggested, also for the last port', async () => {
  const PORT_MAX = 65_535;
  const log = createLog('silent');
  // If another program has the port, both attempts find it in use.
  const first = await openListener({ host: '127.0.0.1', port: PORT_MAX, log });
  const second = await openListener({ host: '127.0.0.1', port: PORT_MAX, log });
  expect(second).toEqual(fail(expect.stringContaining('for example PORT=65534.')));
  if (first.ok) await first.value.close();
});

test('faults of the port are in the log, once a minute, and the server continues', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const opened = await openListener({ host: '127.0.0.1', port: 0, log });
  if (!opened.ok) throw new Error(opened.error);
  const listener = opened.value;
  for (const name of ['ENOBUFS', 'ENOMEM']) {
    listener.server.emit('error', new Error(`accept ${name}`));
  }
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 50, msg: 'the HTTP listener failed', err: { message: 'accept ENOBUFS' } },
  ]);
  expect((await send(listener.port, '/')).status).toBe(503);
  await listener.close();
});

test('connections leave half of the open files for everything else, and those beyond are closed', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const opened = await openListener({ host: '127.0.0.1', port: 0, log, openFilesMax: 6 });
  if (!opened.ok) throw new Error(opened.error);
  const listener = opened.value;
  const join = (): Socket =>
    connect({ port: listener.port, host: '127.0.0.1' }).on('error', () => undefined);
  const idle = Array.from({ length: 3 }, join);
  await expect.poll(() => countConnections(listener)).toBe(3);
  for (let n = 0; n < 2; n += 1) await once(join(), 'close');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 40, msg: 'too many connections', connections: 3 },
  ]);
  idle[0]?.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const [answer] = (await once(idle[0]!, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 503 /);
  for (const socket of idle) socket.destroy();
  await listener.close();
});

test.runIf(process.platform === 'linux')('the limit of open files is the system’s', async () => {
  const listener = await open();
  const report = process.report.getReport() as { readonly userLimits?: unknown };
  const limits = limitsSchema.parse(report.userLimits);
  expect(listener.server.maxConnections).toBe(Math.floor(limits.open_files.soft / 2));
  await listener.close();
});
