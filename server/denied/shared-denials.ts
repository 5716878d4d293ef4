import { createHash, randomUUID } from 'node:crypto';

import {
  DENIALS_CHECK_EVERY_MS,
  DENIALS_POLL_INTERVAL_MS,
  DENIALS_SHARED_MAX,
} from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import type { SharedStore } from '../shared/shared-store.ts';
import type { Denial, DeniedStore } from './denied-store.ts';

/** The latest sign-outs in order, for instances that follow the store, which numbers them. */
const STREAM = 'denials';
/** A changed or missing value means that the store lost its data. It expires from time to time. */
const EPOCH = 'denials:epoch';
const BATCH = 1000;
const FIRST = '0';

/**
 * Hashed without a key: the ids are random, so the hash hides them, and a sign-out must also apply
 * under the next secret, because sessions of the previous one remain valid.
 */
const toMark = (sid: string): string =>
  createHash('sha256').update(`denied session ${sid}`).digest('base64url').slice(0, 22);

/** Queried one by one; expires when the session would have. */
const toName = (mark: string): string => `denied:${mark}`;

const toDenial = ([, fields]: readonly [id: string, fields: readonly string[]]): Denial => [
  fields[1] ?? '',
  Number(fields[3]),
];

/** Reads the entries since the last time, or all of them, in batches. */
const createReader = (store: SharedStore, onDenial: (denial: Denial) => void) => {
  let last = FIRST;
  return async (from = last): Promise<void> => {
    last = from;
    for (;;) {
      const answer = await store.ask((redis) =>
        redis.xread('COUNT', BATCH, 'STREAMS', STREAM, last),
      );
      const entries = answer?.[0]?.[1] ?? [];
      for (const entry of entries) onDenial(toDenial(entry));
      last = entries.at(-1)?.[0] ?? last;
      if (entries.length < BATCH) return;
    }
  };
};

const readEpoch = async (store: SharedStore): Promise<unknown> => {
  const answers = await store.askAll((calls) =>
    calls.set(EPOCH, randomUUID(), 'PX', DENIALS_CHECK_EVERY_MS, 'NX').get(EPOCH),
  );
  return answers[1];
};

/** Writes back the sign-outs that this instance has and the store does not. */
const restoreMissing = async (
  store: SharedStore,
  add: DeniedStore['add'],
  known: readonly Denial[],
): Promise<void> => {
  for (let at = 0; at < known.length; at += BATCH) {
    const batch = known.slice(at, at + BATCH);
    const found = await store.askAll((calls) => {
      for (const [mark] of batch) calls.exists(toName(mark));
      return calls;
    });
    for (const [index, denial] of batch.entries()) if (found[index] === 0) await add(denial);
  }
};

const createAdd =
  (store: SharedStore, now: () => number): DeniedStore['add'] =>
  async ([mark, until]) => {
    const left = Math.ceil(until - now());
    if (left <= 0) return;
    await store.askAll((calls) =>
      calls
        .set(toName(mark), '', 'PX', left)
        .xadd(STREAM, 'MAXLEN', '~', DENIALS_SHARED_MAX, '*', 'mark', mark, 'until', until),
    );
  };

/**
 * Follows the additions of other instances, one read at a time. After every connection, and
 * whenever the store lost its epoch, the missing sign-outs are written back, and then all entries
 * are read: ids of a new list need not be higher than those of a lost one. An interrupted run
 * starts over.
 */
const createFollow =
  (store: SharedStore, add: DeniedStore['add'], log: Log): Required<DeniedStore>['follow'] =>
  (onDenial, listKnown) => {
    const read = createReader(store, onDenial);
    let known: unknown;
    const readNew = async (): Promise<void> => {
      const epoch = await readEpoch(store);
      if (epoch === known) return read();
      await restoreMissing(store, add, [...listKnown()]);
      await read(FIRST);
      known = epoch;
    };
    let isPolling = false;
    const poll = async (): Promise<void> => {
      if (isPolling || !store.isUp()) return;
      isPolling = true;
      try {
        await readNew();
      } catch (error) {
        // The store logs its own outages.
        log.debug({ err: error }, 'the shared sign-outs could not be read');
      }
      isPolling = false;
    };
    store.onUp(() => {
      known = undefined;
      void poll();
    });
    const timer = setInterval(() => void poll(), DENIALS_POLL_INTERVAL_MS).unref();
    return () => clearInterval(timer);
  };

/**
 * Sign-outs in the store that several instances share. Every request queries it. Each instance also
 * follows the additions of the others, so that it has the latest sign-outs while the store is down
 * and can restore them to a store that lost them.
 */
export const createSharedDeniedStore = (
  store: SharedStore,
  now: () => number,
  log: Log,
): DeniedStore => {
  const add = createAdd(store, now);
  return {
    load: () => [],
    add,
    has: async (mark) => (await store.ask((redis) => redis.exists(toName(mark)))) === 1,
    toMark,
    follow: createFollow(store, add, log),
  };
};
