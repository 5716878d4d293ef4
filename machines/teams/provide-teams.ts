import { TEAMS_TTL_MS } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';

import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { REQUEST_LIMIT_MS, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { fromTask, type TaskRule } from '../kit/task.ts';
import { type StoreInput, teamsMachine, type TeamsSignal } from './teams.machine.ts';
import { watchEnvironment } from '../kit/watch-environment.ts';

const MISSING: TeamsSignal = { type: 'cache.missing' };
const READ: TaskRule = { name: 'readTeams', limitMs: STORAGE_LIMIT_MS, toFailure: () => MISSING };
const FETCH: TaskRule = {
  name: 'fetchTeams',
  limitMs: REQUEST_LIMIT_MS,
  toFailure: (error): TeamsSignal => ({ type: 'teams.failed', error }),
};
const FETCH_PRODUCERS: TaskRule = {
  name: 'fetchProducers',
  limitMs: REQUEST_LIMIT_MS,
  toFailure: () => undefined,
};

const provideActors = ({ clock, staffApi, environment, clientLog }: Ports) => ({
  readCache: fromTask({ clientLog }, READ, async ({ store }: StoreInput): Promise<TeamsSignal> => {
    const cached = await store.findTeamsFetchedAt();
    return cached.ok && cached.value !== undefined
      ? { type: 'cache.found', fetchedAt: cached.value }
      : MISSING;
  }),
  fetchTeams: fromTask(
    { clientLog },
    FETCH,
    async ({ store }: StoreInput, cancel): Promise<TeamsSignal> => {
      const answer = await staffApi.getTeams(cancel);
      if (!answer.ok) return { type: 'teams.failed', error: answer.error };
      const fetchedAt = clock.now();
      const saved = await store.saveTeams(answer.value, fetchedAt);
      return saved.ok
        ? { type: 'teams.loaded', fetchedAt }
        : { type: 'teams.failed', error: saved.error };
    },
  ),
  fetchProducers: fromTask(
    { clientLog },
    FETCH_PRODUCERS,
    async ({ store }: StoreInput, cancel) => {
      const producers = await staffApi.getProducers(cancel);
      // Nothing returned may be a swallowed error (spec §7): what is known is kept.
      if (producers.length > 0 && !cancel.aborted) {
        await store.saveProducers(producers, clock.now());
      }
      return undefined;
    },
  ),
  watchEnvironment: watchEnvironment(environment),
});

/**
 * True while something fetched is younger than `ttlMs`. A fetch in the future means that the
 * clock was set back, and counts as stale. Times are ms since the epoch.
 */
export const isFresh = (fetchedAt: number | undefined, nowMs: number, ttlMs: number): boolean =>
  fetchedAt !== undefined && nowMs >= fetchedAt && nowMs - fetchedAt < ttlMs;

/** The teams machine with its real actors. */
export const provideTeams = (ports: Ports) =>
  teamsMachine.provide({
    actors: provideActors(ports),
    guards: {
      isFresh: ({ event }) =>
        isFresh(
          'fetchedAt' in event ? event.fetchedAt : undefined,
          ports.clock.now(),
          TEAMS_TTL_MS,
        ),
    },
    delays: {
      freshness: ({ context }) => Math.max(0, context.fetchedAt + TEAMS_TTL_MS - ports.clock.now()),
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt),
    },
  });
