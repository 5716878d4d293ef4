import { createHash } from 'node:crypto';

import { DENIALS_SHARED_MAX, DENIALS_LOOK_EVERY_MS } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import type { SharedStore } from '../shared/shared-store.ts';
import type { Denial, DeniedStore } from './denied-sessions.ts';

/** The latest sign-outs in order, for instances that follow; the store numbers them. */
const STREAM = 'denials';
const BATCH = 1000;
const FIRST = '0';

/**
 * Without a key: ids are random, which hides them, and a sign-out must count under the next secret,
 * too, which opens the sessions of the previous one.
 */
const toMark = (sid: string): string =>
  createHash('sha256').update(`denied session ${sid}`).digest('base64url').slice(0, 22);

/** Asked for one by one, and gone by itself when the session would have ended. */
const toName = (mark: string): string => `denied:${mark}`;

const toDenial = ([, fields]: readonly [id: string, fields: readonly string[]]): Denial => [
  fields[1] ?? '',
  Number(fields[3]),
];

/** Reads what came since the last time, a batch after the other. */
const createReader = (store: SharedStore, onDenial: (denial: Denial) => void) => {
  let last = FIRST;
  return async (): Promise<void> => {
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

/** Follows what others add, one look at a time; a store that lost the list is given it back first. */
const createFollow =
  (store: SharedStore, add: DeniedStore['add'], log: Log): Required<DeniedStore>['follow'] =>
  (onDenial, listKnown) => {
    const read = createReader(store, onDenial);
    const start = async (): Promise<void> => {
      const isLost = (await store.ask((redis) => redis.exists(STREAM))) === 0;
      if (isLost) for (const denial of listKnown()) await add(denial);
      await read();
    };
    let isLooking = false;
    const look = async (work: () => Promise<void>): Promise<void> => {
      if (isLooking || !store.isUp()) return;
      isLooking = true;
      try {
        await work();
      } catch (error) {
        // Its being down is logged by the store itself.
        log.debug({ err: error }, 'the shared sign-outs could not be read');
      }
      isLooking = false;
    };
    store.onUp(() => void look(start));
    const timer = setInterval(() => void look(read), DENIALS_LOOK_EVERY_MS).unref();
    return () => clearInterval(timer);
  };

/**
 * Sign-outs in the store that several instances share. Every request asks it; besides, each
 * instance follows what the others add, so that it knows the latest ones while the store is
 * down, and gives them back to a store that lost them.
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
