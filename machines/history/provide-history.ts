import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import type { Result } from '#domain/result.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { type HistoryInput, historyMachine, type HistorySignal } from './history.machine.ts';
import { REQUEST_LIMIT_MS, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { findNewestStored, readMore, readNewest, type HistorySlice } from './read-history.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { fromTask, type TaskRule } from '../kit/task.ts';
import { watchEnvironment } from '../kit/watch-environment.ts';

const CACHE_MISSING: HistorySignal = { type: 'cache.missing' };

/** How a page that cannot be read ends. */
const toRule = (name: 'newest' | 'more'): TaskRule => ({
  name: `history ${name}`,
  limitMs: REQUEST_LIMIT_MS,
  toFailure: (error): HistorySignal => ({ type: `${name}.failed`, error }),
});

/**
 * The history machine of an open room with its real actors. `revalidateSession` is called when
 * a request was answered 401, to be passed on to the session as `session.revalidate`.
 */
export const provideHistory = (ports: Ports, store: Store, revalidateSession: () => void) => {
  const toSignal = (
    answer: Result<HistorySlice, AppError>,
    name: 'newest' | 'more',
  ): HistorySignal => {
    if (answer.ok) return { type: `${name}.loaded`, ...answer.value };
    if (answer.error.kind === 'unauthenticated') {
      ports.realtime.renewToken();
      revalidateSession();
    }
    return { type: `${name}.failed`, error: answer.error };
  };
  return historyMachine.provide({
    actors: {
      readCache: fromTask(
        ports,
        { name: 'readCache', limitMs: STORAGE_LIMIT_MS, toFailure: () => CACHE_MISSING },
        async ({ room }: HistoryInput): Promise<HistorySignal> => {
          const found = await findNewestStored(store, room);
          return found.ok && found.value !== undefined
            ? { type: 'cache.found', ...found.value }
            : CACHE_MISSING;
        },
      ),
      readNewest: fromTask(ports, toRule('newest'), async ({ room }: HistoryInput, cancel) =>
        toSignal(await readNewest(ports, store, room, cancel), 'newest'),
      ),
      readMore: fromTask(
        ports,
        toRule('more'),
        async (place: HistoryInput & { readonly from: Timetoken }, cancel) =>
          toSignal(await readMore(ports, store, place, cancel), 'more'),
      ),
      watchEnvironment: watchEnvironment(ports.environment),
    },
    delays: {
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt),
    },
  });
};
