import { createHmac } from 'node:crypto';

import { type ChainableCommander, Redis, ReplyError } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';

import { type CreateLimiter, type LimiterPlan, toLimiterOptions } from '../limiting/limiters.ts';
import { SHARED_STORE_CALL_MS, SHARED_STORE_RETRY_MAX_MS } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import { createOutageLog } from '../observe/outages.ts';
import { deriveKey } from '../kernel/secret.ts';

/**
 * The store that instances share: Redis or Valkey. It contains neither secrets nor names in
 * plaintext.
 */
export interface SharedStore {
  /**
   * One call. Rejects at once while the store is down. A call without an answer is rejected after
   * `SHARED_STORE_CALL_MS`; the store then counts as down until it answers again.
   */
  ask<T>(call: (redis: Redis) => Promise<T>): Promise<T>;
  /** Several calls in one transaction, with their answers; rejects if any of them failed. */
  askAll(calls: (redis: ChainableCommander) => ChainableCommander): Promise<readonly unknown[]>;
  /** Limits that all instances count together. */
  readonly createLimiter: CreateLimiter;
  /**
   * Keyed hashes of a text, for use in the names of keys: under the secret, and under the previous
   * one if there is one.
   */
  toKeys(text: string): readonly [string, ...string[]];
  /** Connected and answering, as far as is known. */
  isUp(): boolean;
  /** Called whenever the store is connected, the first time and after every outage. */
  onUp(listener: () => void): void;
  close(): void;
}

/** Of all keys in the store. */
export const KEY_PREFIX = 'replay-desk:';

/** Calls fail instead of waiting: every caller can continue without the store. */
const OPTIONS = {
  keyPrefix: KEY_PREFIX,
  protocol: 2,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: SHARED_STORE_CALL_MS,
  connectTimeout: SHARED_STORE_CALL_MS,
  connectionName: 'replay-desk',
  retryStrategy: (attempt: number) =>
    Math.min(SHARED_STORE_RETRY_MAX_MS, 100 * 2 ** Math.min(attempt, 10)),
  // A replica after a failover: reconnect to find the one that accepts writes.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const;

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Command timed out';

/**
 * The library continues in database 0 if it may not select the one of the address. The data of this
 * installation is not there: this counts as down.
 */
const requireDatabase = (redis: Redis): void => {
  redis.on('error', (error: Error & { readonly command?: { readonly name: string } }) => {
    if (error instanceof ReplyError && error.command?.name === 'select') redis.disconnect(true);
  });
};

/** Logged once per outage. The address may contain a password and is never logged. */
const logOutages = (redis: Redis, log: Log): void => {
  const outage = createOutageLog(
    log,
    'the shared store is down: nobody can sign in',
    'the shared store is back',
  );
  redis.on('error', (error: Error) => outage.failed({ reason: error.message }));
  redis.on('close', () => outage.failed({}));
  redis.on('ready', () => outage.worked());
};

/** The answers of a transaction contain its failures. */
const runAll = async (calls: ChainableCommander): Promise<readonly unknown[]> => {
  const answers = await calls.exec();
  if (answers === null) throw new Error('The shared store discarded a transaction');
  return answers.map(([error, answer]) => {
    if (error !== null) throw error;
    return answer;
  });
};

/** The library's own calls, under the same rules as all others. */
const createLimiterOf =
  (redis: Redis, ask: SharedStore['ask']): CreateLimiter =>
  ({ name, ...plan }: LimiterPlan) => {
    const limiter = new RateLimiterRedis({
      ...toLimiterOptions({ ...plan, name: `limit:${name}` }),
      storeClient: redis,
      rejectIfRedisNotReady: true,
    });
    return {
      consume: (...args) => ask(() => limiter.consume(...args)),
      penalty: (...args) => ask(() => limiter.penalty(...args)),
      reward: (...args) => ask(() => limiter.reward(...args)),
      delete: (...args) => ask(() => limiter.delete(...args)),
    };
  };

const createHash = (secret: string): ((text: string) => string) => {
  const key = deriveKey(secret, 'shared store keys v1');
  return (text) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
};

/** Connects in the background and reconnects as needed; a server starts without it, too. */
export const openSharedStore = (
  url: string,
  secret: string,
  log: Log,
  previousSecret?: string,
): SharedStore => {
  const hash = createHash(secret);
  const hashBefore = previousSecret === undefined ? undefined : createHash(previousSecret);
  const redis = new Redis(url, OPTIONS);
  logOutages(redis, log);
  requireDatabase(redis);
  const ask: SharedStore['ask'] = async (call) => {
    try {
      return await call(redis);
    } catch (error) {
      // Half-open connections never report their end.
      if (isTimeout(error) && redis.status === 'ready') redis.disconnect(true);
      throw error;
    }
  };
  return {
    ask,
    askAll: (calls) => ask((client) => runAll(calls(client.multi()))),
    createLimiter: createLimiterOf(redis, ask),
    toKeys: (text) => [hash(text), ...(hashBefore === undefined ? [] : [hashBefore(text)])],
    isUp: () => redis.status === 'ready',
    onUp: (listener) => void redis.on('ready', listener),
    close: () => {
      // An intended close does not count as an outage.
      redis.removeAllListeners('close');
      redis.disconnect();
    },
  };
};
