import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { ok, type Result } from '#domain/result.ts';
import { type AnyActorRef, assign, fromPromise, setup, type SnapshotFrom } from 'xstate';

import { findFailure, hasFailed, reportFailure, toValue } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import { STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { endSession } from '../kit/revalidate-session.ts';

/** `store`: the user's, if it could be opened; `drafts`: this tab has an unsent draft. */
export interface LogoutRequest {
  readonly uid: string;
  readonly store: Store | undefined;
  readonly drafts: boolean;
}

export type LogoutSignal =
  | ({ readonly type: 'logout.requested' } & LogoutRequest)
  /** Rooms with queued messages. */
  | { readonly type: 'queue.changed'; readonly rooms: readonly unknown[] }
  | { readonly type: 'send.chosen' }
  | { readonly type: 'keep.chosen' }
  | { readonly type: 'discard.chosen' }
  | { readonly type: 'logout.cancelled' };

export interface LogoutContext extends LogoutRequest {
  readonly error: AppError | undefined;
  /** Unsent messages can be encrypted, so that they may stay on this device. */
  readonly keepable: boolean;
  /** Unsent messages are deleted with the rest. */
  readonly discards: boolean;
}

/** `drafts`: another tab has an unsent draft; `keepable` as above. */
type Unsent = { readonly count: number } & Pick<LogoutContext, 'drafts' | 'keepable'>;

type LeaveInput = Pick<LogoutContext, 'uid' | 'store' | 'discards'>;
type UnsentInput = Pick<LogoutContext, 'store' | 'uid'>;
type LogoutPorts = Pick<Ports, 'sessionApi' | 'device' | 'clientLog' | 'tabId'>;

/** Whether unsent messages can be encrypted; missing keys are requested. */
const canKeep = async (
  { sessionApi }: Pick<Ports, 'sessionApi'>,
  store: Store,
  uid: string,
  cancel: AbortSignal,
): Promise<boolean> => {
  const known = await store.hasKeys();
  if (known.ok && known.value) return true;
  const own = await sessionApi.getKeys(uid, cancel);
  return own.ok && (await store.keepKeys(own.value)).ok;
};

const countUnsent = async (
  ports: LogoutPorts,
  { store, uid }: UnsentInput,
  cancel: AbortSignal,
): Promise<Result<Unsent, AppError>> => {
  if (store === undefined) return ok({ count: 0, drafts: false, keepable: false });
  const unsent = await store.listUnsent();
  if (!unsent.ok) return unsent;
  const drafts = await store.hasDrafts(ports.tabId);
  if (!drafts.ok) return drafts;
  const count = unsent.value.length;
  const keepable = count > 0 && (await canKeep(ports, store, uid, cancel));
  return ok({ count, drafts: drafts.value, keepable });
};

/**
 * Ends the session on this device, durably and without the server, and notifies the other tabs.
 * Any tab finishes the rest: the page's `cleanup` deletes the user's data, and the session
 * notifies the server before its next request. The session here also ends if the storage answers
 * only after the limit.
 */
const signOut = async (
  { sessionApi, device }: LogoutPorts,
  { uid, store, discards }: LeaveInput,
  system: AnyActorRef['system'],
): Promise<Result<void, AppError>> => {
  const unsent = discards && store ? await store.listUnsent() : ok([]);
  if (!unsent.ok) return unsent;
  const left = await device.signOut({ uid, discarded: unsent.value.map(({ id }) => id) });
  if (left.ok) {
    sessionApi.announceChange();
    endSession({ system });
  }
  return left;
};

const setupLogout = (ports: LogoutPorts) =>
  setup({
    types: { context: {} as LogoutContext, events: {} as LogoutSignal },
    actors: {
      countUnsent: fromPromise<Result<Unsent, AppError>, UnsentInput>(({ input, signal }) =>
        countUnsent(ports, input, signal),
      ),
      watchQueue: fromSubscription<LogoutSignal, UnsentInput>((send, { store }) =>
        store?.watchQueuedRooms((rooms) => send({ type: 'queue.changed', rooms })),
      ),
      signOut: fromPromise<Result<void, AppError>, LeaveInput>(({ input, system }) =>
        signOut(ports, input, system),
      ),
    },
    actions: {
      keepRequest: assign((_, { uid, store, drafts }: LogoutRequest) => ({
        uid,
        store,
        drafts,
        keepable: false,
        discards: false,
        error: undefined,
      })),
      keepCounted: assign(({ context }, { drafts, keepable }: Unsent) => ({
        drafts: context.drafts || drafts,
        keepable,
      })),
      chooseDiscard: assign({ discards: true }),
      forgetStore: assign({ store: undefined }),
      keepError: assign(({ event }) => ({ error: findFailure(event) })),
      reportFailure: reportFailure(ports),
    },
    guards: {
      hasFailed,
      hasUnsent: ({ context }, { count, drafts }: Unsent) => count > 0 || drafts || context.drafts,
      isKeepable: ({ context }) => context.keepable,
      isQueueEmpty: ({ event }) => event.type === 'queue.changed' && event.rooms.length === 0,
    },
    delays: { storageLimit: STORAGE_LIMIT_MS },
  });

/**
 * Sign-out, with or without a network. With unsent messages the user is asked first: send them,
 * keep them for the next sign-in here, or discard them.
 */
export const createLogoutMachine = (ports: LogoutPorts) =>
  setupLogout(ports).createMachine({
    id: 'logout',
    context: {
      error: undefined,
      uid: '',
      store: undefined,
      drafts: false,
      keepable: false,
      discards: false,
    },
    initial: 'idle',
    states: {
      idle: {
        entry: 'forgetStore',
        on: {
          'logout.requested': {
            target: 'checking',
            actions: { type: 'keepRequest', params: ({ event }) => event },
          },
        },
      },
      checking: {
        invoke: {
          src: 'countUnsent',
          input: ({ context }) => context,
          onDone: [
            { guard: 'hasFailed', target: 'failed', actions: 'keepError' },
            {
              guard: { type: 'hasUnsent', params: toValue },
              target: 'asking',
              actions: { type: 'keepCounted', params: toValue },
            },
            { target: 'leaving' },
          ],
          onError: { target: 'failed', actions: ['reportFailure', 'keepError'] },
        },
        after: { storageLimit: { target: 'failed', actions: ['reportFailure', 'keepError'] } },
        on: { 'logout.cancelled': 'idle' },
      },
      asking: {
        on: {
          'send.chosen': 'sending',
          'keep.chosen': { guard: 'isKeepable', target: 'leaving' },
          'discard.chosen': { target: 'leaving', actions: 'chooseDiscard' },
          'logout.cancelled': 'idle',
        },
      },
      sending: {
        invoke: { src: 'watchQueue', input: ({ context }) => context },
        on: {
          'queue.changed': { guard: 'isQueueEmpty', target: 'checking' },
          'keep.chosen': { guard: 'isKeepable', target: 'leaving' },
          'logout.cancelled': 'idle',
        },
      },
      leaving: {
        invoke: {
          src: 'signOut',
          input: ({ context }) => context,
          onDone: [
            { guard: 'hasFailed', target: 'failed', actions: 'keepError' },
            { target: 'idle' },
          ],
          onError: { target: 'failed', actions: ['reportFailure', 'keepError'] },
        },
        after: { storageLimit: { target: 'failed', actions: ['reportFailure', 'keepError'] } },
      },
      failed: {
        on: {
          'logout.cancelled': 'idle',
          'logout.requested': {
            target: 'checking',
            actions: { type: 'keepRequest', params: ({ event }) => event },
          },
        },
      },
    },
  });

/** The progress of a sign-out; an old error is not shown during a new one. */
export const selectLogout = (snapshot: SnapshotFrom<ReturnType<typeof createLogoutMachine>>) => ({
  state: snapshot.value,
  drafts: snapshot.context.drafts,
  keepable: snapshot.context.keepable,
  error: snapshot.matches('failed') ? snapshot.context.error : undefined,
});
