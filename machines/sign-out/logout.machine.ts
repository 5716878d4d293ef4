import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { ok, type Result } from '#domain/result.ts';
import { type AnyActorRef, assign, fromPromise, setup, type SnapshotFrom } from 'xstate';

import { findFailure, hasFailed, reportFailure, toValue } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import { SIGN_OUT_WAIT_MS, SIGN_OUT_WAITS_MAX, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { endSession } from '../kit/revalidate-session.ts';
import type { Named, Unsent, UnsentInput } from './find-unsent.ts';

export type LogoutSignal =
  | ({ readonly type: 'logout.requested' } & UnsentInput)
  /** Rooms with queued messages. */
  | { readonly type: 'queue.changed'; readonly rooms: readonly unknown[] }
  | { readonly type: 'send.chosen' }
  | { readonly type: 'keep.chosen' }
  | { readonly type: 'discard.chosen' }
  | { readonly type: 'logout.cancelled' };

export interface LogoutContext extends UnsentInput, Omit<Unsent, 'sharing' | 'asks'> {
  readonly error: AppError | undefined;
  /** How often it waited until marks of this device reach other devices. */
  readonly waits: number;
  /** Unsent messages are deleted with the rest. */
  readonly discards: boolean;
}

/** The context of a new sign-out, apart from its request. */
const NEW = {
  error: undefined,
  messages: false,
  keepable: false,
  marks: false,
  drafts: false,
  named: '',
  waits: 0,
  discards: false,
};

type LeaveInput = Pick<LogoutContext, 'uid' | 'store' | 'discards'>;
type LogoutPorts = Pick<Ports, 'sessionApi' | 'device' | 'clientLog' | 'tabId' | 'environment'>;

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
      findUnsent: fromPromise<Result<Unsent, AppError>, UnsentInput & Named>(
        async ({ input, signal }) =>
          (await import('./find-unsent.ts')).findUnsent(ports, input, signal),
      ),
      watchQueue: fromSubscription<LogoutSignal, UnsentInput>((send, { store }) =>
        store?.watchQueuedRooms((rooms) => send({ type: 'queue.changed', rooms })),
      ),
      signOut: fromPromise<Result<void, AppError>, LeaveInput>(({ input, system }) =>
        signOut(ports, input, system),
      ),
    },
    actions: {
      keepRequest: assign((_, { uid, store, hasDrafts }: UnsentInput) => ({
        ...NEW,
        uid,
        store,
        hasDrafts,
      })),
      keepFound: assign((_, found: Unsent) => found),
      countWait: assign(({ context }) => ({ waits: context.waits + 1 })),
      chooseDiscard: assign({ discards: true }),
      forgetStore: assign({ store: undefined }),
      keepError: assign(({ event }) => ({ error: findFailure(event) })),
      reportFailure: reportFailure(ports),
    },
    guards: {
      hasFailed,
      mayBeShared: ({ context }, { sharing }: Unsent) =>
        sharing && context.waits < SIGN_OUT_WAITS_MAX,
      mustAsk: (_, { asks }: Unsent) => asks,
      isKeepable: ({ context }) => context.keepable,
      isQueueEmpty: ({ event }) => event.type === 'queue.changed' && event.rooms.length === 0,
    },
    delays: { storageLimit: STORAGE_LIMIT_MS, sharingTime: SIGN_OUT_WAIT_MS },
  });

/** The storage failed, or takes too long. */
const BROKEN = { target: 'failed', actions: ['reportFailure', 'keepError'] } as const;

/**
 * Sign-out, with or without a network. With unsent messages the user is asked first: send them,
 * keep them for the next sign-in here, or discard them. Drafts and marks that would be lost are
 * named. Once the messages are sent, it does not ask again about drafts that it has named.
 */
export const createLogoutMachine = (ports: LogoutPorts) =>
  setupLogout(ports).createMachine({
    id: 'logout',
    context: { ...NEW, uid: '', store: undefined, hasDrafts: () => false },
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
          src: 'findUnsent',
          input: ({ context }) => context,
          onDone: [
            { guard: 'hasFailed', target: 'failed', actions: 'keepError' },
            { guard: { type: 'mayBeShared', params: toValue }, target: 'sharing' },
            {
              guard: { type: 'mustAsk', params: toValue },
              target: 'asking',
              actions: { type: 'keepFound', params: toValue },
            },
            { target: 'leaving' },
          ],
          onError: BROKEN,
        },
        after: { storageLimit: BROKEN },
        on: { 'logout.cancelled': 'idle' },
      },
      /** The leading tab shares marks by itself while there is a connection. */
      sharing: {
        entry: 'countWait',
        after: { sharingTime: 'checking' },
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
          onError: BROKEN,
        },
        after: { storageLimit: BROKEN },
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

/**
 * The progress of a sign-out; an old error is not shown during a new one. Checking again whether
 * marks are shared is part of the wait.
 */
export const selectLogout = ({
  value,
  context: { waits, drafts, marks, keepable, error },
}: SnapshotFrom<ReturnType<typeof createLogoutMachine>>) => ({
  state: value === 'checking' && waits > 0 ? 'sharing' : value,
  drafts,
  marks,
  keepable,
  error: value === 'failed' ? error : undefined,
});
