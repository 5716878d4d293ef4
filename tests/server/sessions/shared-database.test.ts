import { Redis } from 'ioredis';
import { expect, test } from 'vitest';

import { createLog } from '#server/kernel/log.ts';
import { openSharedStore } from '#server/shared/shared-store.ts';
import { startStoreServer } from '#tests/support/services/store-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

test('a store whose database cannot be selected is down, and another one is not used', async () => {
  const server = await startStoreServer();
  const operator = new Redis(server.url, { protocol: 2 });
  await operator.acl('SETUSER', 'default', '-select');
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const store = openSharedStore(`${server.url}/3`, 'a secret of these tests, long enough', log);
  const set = () => store.ask((redis) => redis.set('a key', 'a value'));
  await waitFor('the outage', () => lines.length > 0);
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
    level: 50,
    msg: 'the shared store is down: nobody can sign in',
    reason: expect.stringContaining("'select' command") as string,
  });
  await expect(set()).rejects.toThrow('writeable');
  expect(store.isUp()).toBe(false);
  await waitFor('further attempts', async () => {
    const stats = await operator.info('stats');
    return Number(/total_connections_received:(?<count>\d+)/.exec(stats)?.groups?.['count']) > 5;
  });
  // One line per outage: no attempt counted as its end.
  expect(lines).toHaveLength(1);
  await operator.acl('SETUSER', 'default', '+select');
  await waitFor('the store', () => store.isUp());
  await set();
  expect(await operator.info('keyspace')).toMatch(/db3:keys=1/);
  expect(await operator.dbsize()).toBe(0);
  store.close();
  operator.disconnect();
  await server.dispose();
});
