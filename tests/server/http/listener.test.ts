import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, test } from 'vitest';

import { openListener } from '#server/http/listener.ts';
import { createLog } from '#server/kernel/log.ts';
import { send } from '#tests/support/server/web-client.ts';

const open = async () => {
  const opened = await openListener({ host: '127.0.0.1', port: 0, log: createLog('silent') });
  if (!opened.ok) throw new Error(opened.error);
  return opened.value;
};

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
  const count = (): Promise<number> =>
    new Promise((resolve) => {
      listener.server.getConnections((_error, open) => resolve(open));
    });
  await expect.poll(count).toBe(0);
  peer.destroy();
  await listener.close();
});

test('a connection whose peer does not read has a time limit', async () => {
  const listener = await open();
  expect(listener.server.timeout).toBe(60_000);
  await listener.close();
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
    { level: 50, msg: 'the port reported a fault', err: { message: 'accept ENOBUFS' } },
  ]);
  expect((await send(listener.port, '/')).status).toBe(503);
  await listener.close();
});
