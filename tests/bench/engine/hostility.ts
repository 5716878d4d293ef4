import { setTimeout as pause } from 'node:timers/promises';

import { send, sendRaw } from '#tests/support/server/web-client.ts';

import { startProduct } from '../world/product.ts';
import type { Settings } from '../bench.ts';
import type { Figure } from '../figure.ts';

const CURSORS = [
  '',
  'abc',
  '-1',
  '1e30',
  '9'.repeat(40),
  '0',
  '١٢٣',
  "'",
  '%00',
  '../..',
  ' ',
  'NaN',
];
const BODIES = ['', 'null', '[]', '{', '"x"', '['.repeat(60_000), '{"channel":7,"message":{}}'];
const MEGABYTES_10 = 10_000_000;

const toRequests = (authorization: string) => {
  const headers = { authorization };
  const post = { method: 'POST', headers };
  const channels = Array.from({ length: 50_000 }, (_, n) => `"chat.c_${n}.team":"1"`).join();
  return [
    ...CURSORS.map((cursor) => ({
      path: `/api/realtime/history?channel=chat.c_016.team&count=25&before=${encodeURIComponent(cursor)}x`,
      options: { headers },
    })),
    ...CURSORS.map((cursor) => ({
      path: `/api/realtime/stream?cursor=${encodeURIComponent(cursor)}x`,
      options: { headers },
    })),
    ...CURSORS.map((count) => ({
      path: `/api/realtime/history?channel=chat.c_016.team&count=${encodeURIComponent(count)}x`,
      options: { headers },
    })),
    ...BODIES.map((body) => ({ path: '/api/realtime/publish', options: { ...post, body } })),
    ...BODIES.map((body) => ({ path: '/api/realtime/counts', options: { ...post, body } })),
    { path: '/api/realtime/publish', options: { ...post, body: 'x'.repeat(MEGABYTES_10) } },
    { path: '/api/realtime/counts', options: { ...post, body: `{"since":{${channels}}}` } },
    { path: `/api/realtime/history?channel=${'c'.repeat(1_000_000)}`, options: { headers } },
    ...[
      'Bearer',
      'Bearer x',
      `Bearer ${'x'.repeat(8000)}`,
      'Basic eDp5',
      authorization.slice(0, -3),
    ].map((bad) => ({
      path: '/api/realtime/stream',
      options: { headers: { authorization: bad } },
    })),
    ...['/api/realtime', '/api/realtime/', '/api/realtime/nothing', '/api/realtime/publish'].map(
      (path) => ({ path, options: { headers } }),
    ),
  ];
};

/** E7: malformed requests do not affect others. */
export const measureHostility = async ({ product }: Settings): Promise<readonly Figure[]> => {
  const engine = await startProduct(product);
  const port = engine.port();
  const before = engine.memory();
  let longest = 0;
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const from = performance.now();
      await send(port, '/api/health');
      longest = Math.max(longest, performance.now() - from);
      await pause(20);
    }
  };
  const watching = watch();
  const requests = toRequests(`Bearer ${engine.token()}`);
  let served = 0;
  for (const { path, options } of requests) {
    const status = await send(port, path, options).then(
      (answer) => answer.status,
      () => 'cut' as const,
    );
    if (status === 200 || (typeof status === 'number' && status >= 500)) served += 1;
  }
  const slow = sendRaw(
    port,
    'POST /api/realtime/publish HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{',
  );
  await pause(1000);
  over.abort();
  await watching;
  const growth = engine.memory() - before;
  const alive = (await send(port, '/api/health')).status === 200;
  await engine.dispose();
  await slow.catch(() => undefined);
  const id = 'E7';
  const what = `${requests.length + 1} malformed requests`;
  return [
    { id, what: `${what}: served or failed`, measured: [served], unit: '', target: 0 },
    { id, what: `${what}: crashes`, measured: [alive ? 0 : 1], unit: '', target: 0 },
    {
      id,
      what: `${what}: longest wait of others`,
      measured: [longest / 1000],
      unit: 's',
      target: 5,
    },
    { id, what: `${what}: memory growth`, measured: [growth], unit: 'MB', target: 50 },
  ];
};
