import { once } from 'node:events';
import { type AddressInfo, createServer, createConnection, type Socket } from 'node:net';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { takeFrom } from '#server/limiting/limiters.ts';
import { createLog } from '#server/kernel/log.ts';
import { openSharedStore } from '#server/shared/shared-store.ts';
import { startStoreServer, type StoreServer } from '#tests/support/services/store-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let store: StoreServer;
beforeEach(async () => {
  store = await startStoreServer();
});
afterEach(() => store.dispose());

/** A network that can drop a connection without notifying either end; new ones work. */
const startNetwork = async () => {
  const sockets: Socket[] = [];
  const pairs: (readonly [Socket, Socket])[] = [];
  const server = createServer((near) => {
    const far = createConnection(Number(new URL(store.url).port), '127.0.0.1');
    near.pipe(far);
    far.pipe(near);
    for (const socket of [near, far]) socket.on('error', () => undefined);
    sockets.push(near, far);
    pairs.push([near, far]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    loseConnections: () => {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
      }
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};

test('guesses are counted again as soon as a half-open connection is replaced', async () => {
  const network = await startNetwork();
  const shared = openSharedStore(
    network.url,
    'a secret of the tests, long enough',
    createLog('silent'),
  );
  const limiter = shared.createLimiter({ name: 'test', points: 1, windowMs: 3600_000 });
  await waitFor('the store', () => shared.isUp());
  expect((await takeFrom(limiter, 'a')).ok).toBe(true);
  network.loseConnections();
  await expect(takeFrom(limiter, 'a')).rejects.toThrow('timed out');
  // Nothing else calls the store: this refusal alone has to end the dead connection.
  await waitFor('the store to count', () =>
    takeFrom(limiter, 'a').then(
      ({ ok }) => !ok,
      () => false,
    ),
  );
  shared.close();
  network.close();
});
