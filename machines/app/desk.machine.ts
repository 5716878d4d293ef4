import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { type ActorRefFrom, assign, fromPromise, setup, stopChild } from 'xstate';

import { reportFailure } from '../kit/answer.ts';
import { OPEN_SLOW_MS, REQUEST_LIMIT_MS } from '../kit/limits.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { revalidateSession } from '../kit/revalidate-session.ts';
import { watchEnvironment } from '../kit/watch-environment.ts';
import type { LeaderMachine } from '../leader/leader.machine.ts';
import type { UnsentRestoreMachine } from '../sign-out/unsent-restore.machine.ts';
import { createTeamsMachine } from '../teams/teams.machine.ts';
import { type DeskInput, type DeskSignal, holdStore } from './hold-store.ts';

export interface DeskContext extends DeskInput {
  readonly store: Store | undefined;
  /** Undefined until its code has loaded. */
  readonly leader: ActorRefFrom<LeaderMachine> | undefined;
  /** Likewise. */
  readonly restore: ActorRefFrom<UnsentRestoreMachine> | undefined;
  /** Why the store is not open, after a failure or a long wait; undefined once it is open. */
  readonly error: AppError | undefined;
  /** Consecutive failures. */
  readonly attempt: number;
}

/** The storage has not answered for a long time; the wait continues. */
const STORAGE_SLOW: AppError = { kind: 'timeout' };

/** The machines whose code loads once the store is open and the content is shown. */
export interface LateMachines {
  readonly leader: LeaderMachine;
  readonly restore: UnsentRestoreMachine;
}

/** Rejects if the code cannot be loaded. */
export type LoadLateMachines = () => Promise<LateMachines>;

const setupDesk = (ports: Ports, loadLate: LoadLateMachines) =>
  setup({
    types: {
      context: {} as DeskContext,
      events: {} as DeskSignal,
      input: {} as DeskInput,
      children: {} as { teams: 'teams' },
    },
    actors: {
      holdStore: holdStore(ports),
      requestPersistentStorage: fromPromise<boolean>(async () => ports.requestPersistentStorage()),
      teams: createTeamsMachine(ports),
      loadLate: fromPromise(loadLate),
      watchEnvironment: watchEnvironment(ports.environment),
    },
    actions: {
      keepStore: assign((_, store: Store) => ({ store, error: undefined, attempt: 0 })),
      dropStore: assign({ store: undefined }),
      startLate: assign(({ context, spawn }, { leader, restore }: LateMachines) => ({
        leader: spawn(leader, { input: mustHaveStore(context) }),
        restore: spawn(restore, { input: mustHaveStore(context) }),
      })),
      stopLeader: stopChild(({ context }) => context.leader ?? ''),
      stopRestore: stopChild(({ context }) => context.restore ?? ''),
      dropLate: assign({ leader: undefined, restore: undefined }),
      keepError: assign(({ context }, error: AppError) => ({
        error,
        attempt: context.attempt + 1,
      })),
      recordStorageSlow: assign({ error: STORAGE_SLOW }),
      revalidateSession,
      reportFailure: reportFailure(ports),
    },
    delays: {
      /** As soon in a hidden tab, which may be the only one that receives messages. */
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt, 1),
      slow: OPEN_SLOW_MS,
      loadLimit: REQUEST_LIMIT_MS,
      loadRetryDelay: () => toRefetchDelay(ports, 1),
    },
  });

/**
 * The signed-in part of one user: keeps the user's store open and runs the actors that use it. When
 * it stops, these stop first and the store closes last. If the storage cannot be opened (a full
 * disk, another tab in the way), it retries by itself, at once when the tab is shown or the network
 * returns; the session, which may be why, is requested again. If opening takes long (a tab was
 * frozen during a clean-up), it reports that. If the data is deleted (storage cleared, or signed
 * out and in again in another tab), it reopens the store. The code of the leader is requested once
 * the store is open; until it has loaded another tab leads, or none.
 */
export const createDeskMachine = (ports: Ports, loadLate: LoadLateMachines) =>
  setupDesk(ports, loadLate).createMachine({
    id: 'desk',
    context: ({ input }) => ({
      uid: input.uid,
      store: undefined,
      leader: undefined,
      restore: undefined,
      error: undefined,
      attempt: 0,
    }),
    initial: 'holding',
    states: {
      holding: {
        invoke: { src: 'holdStore', input: ({ context }) => context },
        exit: 'dropStore',
        initial: 'opening',
        states: {
          opening: {
            on: {
              'store.opened': {
                target: 'open',
                actions: { type: 'keepStore', params: ({ event }) => event.store },
              },
              'store.failed': {
                target: '#desk.failed',
                actions: [
                  { type: 'keepError', params: ({ event }) => event.error },
                  'revalidateSession',
                ],
              },
              'retry.requested': { target: '#desk.holding', reenter: true },
            },
            after: { slow: { actions: 'recordStorageSlow' } },
          },
          open: {
            on: { 'store.lost': '#desk.lost' },
            invoke: [
              {
                src: 'requestPersistentStorage',
                // The page works with either answer.
                onDone: {},
                onError: { actions: 'reportFailure' },
              },
              { id: 'teams', src: 'teams', input: ({ context }) => mustHaveStore(context) },
            ],
            initial: 'loading',
            states: {
              loading: {
                invoke: {
                  src: 'loadLate',
                  onDone: {
                    target: 'complete',
                    actions: { type: 'startLate', params: ({ event }) => event.output },
                  },
                  onError: { target: 'unloaded', actions: 'reportFailure' },
                },
                after: { loadLimit: { target: 'unloaded', actions: 'reportFailure' } },
              },
              unloaded: { after: { loadRetryDelay: 'loading' } },
              complete: { exit: ['stopLeader', 'stopRestore', 'dropLate'] },
            },
          },
        },
      },
      lost: { after: { retryDelay: 'holding' } },
      failed: {
        after: { retryDelay: 'holding' },
        invoke: { src: 'watchEnvironment' },
        on: {
          'retry.requested': 'holding',
          'network.returned': 'holding',
          'page.shown': 'holding',
        },
      },
    },
  });

function mustHaveStore({ uid, store }: DeskContext) {
  if (store === undefined) throw new Error('No store is open');
  return { uid, store };
}

export type DeskMachine = ReturnType<typeof createDeskMachine>;
