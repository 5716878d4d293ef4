import { Redis } from 'ioredis';

import { toReason } from '../kernel/embedded-error.ts';
import { SHARED_STORE_CALL_MS } from '../kernel/limits.ts';
import { KEY_PREFIX } from '../shared/shared-store.ts';
import { bad, type Finding, note, ok } from './finding.ts';

/** What the limits of sign-ins need: a script that writes. The key is gone when it returns. */
const WRITE_AND_DELETE = "redis.call('SET', KEYS[1], '1', 'PX', 1000) redis.call('DEL', KEYS[1])";

/** A store that evicts keys forgets sign-outs. A user who may not read its policy is accepted. */
const checkPolicy = async (redis: Redis): Promise<readonly Finding[]> => {
  const memory = await redis.info('memory').catch(() => '');
  const policy = /^maxmemory_policy:(?<name>[\w-]+)/m.exec(memory)?.groups?.['name'];
  return policy === undefined || policy === 'noeviction'
    ? []
    : [
        note(
          'store',
          `its maxmemory-policy is ${policy}: set noeviction, or it forgets sign-outs when it is full`,
        ),
      ];
};

/** Uses the shared store as sign-ins do. Its address may contain a password and is not printed. */
export const checkStore = async (url: string): Promise<readonly Finding[]> => {
  const { host, protocol } = new URL(url);
  const address = `${protocol}//${host}`;
  const redis = new Redis(url, {
    lazyConnect: true,
    protocol: 2,
    keyPrefix: KEY_PREFIX,
    connectTimeout: SHARED_STORE_CALL_MS,
    commandTimeout: SHARED_STORE_CALL_MS,
    retryStrategy: () => null,
  });
  let reason: string | undefined;
  redis.on('error', (error: Error) => (reason ??= error.message));
  try {
    await redis.connect();
    // The library reports a database that it could not select, and continues with another one.
    if (reason !== undefined) throw new Error(reason);
    await redis.eval(WRITE_AND_DELETE, 1, 'doctor');
    const answers = ok(
      'store',
      `${address} answers: sign-outs, sessions and limits are shared there`,
    );
    return [answers, ...(await checkPolicy(redis))];
  } catch (error) {
    const why = reason ?? toReason(error);
    return [bad('store', `${address}: ${why}: nobody can sign in without it`)];
  } finally {
    redis.disconnect();
  }
};
