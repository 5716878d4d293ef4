import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, ok } from '#domain/result.ts';
import { type EventObject, fromCallback } from 'xstate';

import { appMachine } from './app.machine.ts';
import {
  signOutCleanupMachine,
  type SignOutCleanupSignal,
} from '../sign-out/sign-out-cleanup.machine.ts';
import { deskMachine, type DeskSignal } from './desk.machine.ts';
import {
  type LeaveInput,
  logoutMachine,
  type LogoutSignal,
  type UnsentInput,
} from '../sign-out/logout.machine.ts';
import { OPEN_PATIENCE_MS, SIGN_OUT_CLEANUP_LIMIT_MS, STORAGE_LIMIT_MS } from '../kit/limits.ts';
import { provideUnsentRestore } from '../sign-out/provide-unsent-restore.ts';
import { provideLeader } from '../leader/provide-leader.ts';
import { provideSession } from '../session/provide-session.ts';
import { provideTeams } from '../teams/provide-teams.ts';
import { openDesk } from './open-desk.ts';
import { toRefetchDelay } from '../kit/refetch-delay.ts';
import { purgeDepartedUsers, signOut } from '../sign-out/sign-out.ts';
import { fromTask, reportThrown, type Task } from '../kit/task.ts';

/** Opens the user's store and closes it when stopped, also when it opens too late. */
const holdStore = (ports: Ports): Task<{ readonly uid: string }> =>
  fromCallback<EventObject, { readonly uid: string }>(({ input, sendBack }) => {
    const controller = new AbortController();
    let store: Store | undefined;
    const openSafely = async () => {
      try {
        return await openDesk(ports, input.uid, controller.signal);
      } catch (error) {
        reportThrown(ports.clientLog, 'openDesk', error);
        return fail<AppError>({ kind: 'storage', detail: String(error) });
      }
    };
    const open = async () => {
      const opened = await openSafely();
      if (!opened.ok) {
        if (controller.signal.aborted) return;
        sendBack({ type: 'store.failed', error: opened.error } satisfies DeskSignal);
        return;
      }
      if (controller.signal.aborted) {
        opened.value.store.close();
        return;
      }
      store = opened.value.store;
      store.onLost(() => sendBack({ type: 'store.lost' } satisfies DeskSignal));
      const { returned } = opened.value;
      sendBack({ type: 'store.opened', store, returned } satisfies DeskSignal);
    };
    void open();
    return () => {
      controller.abort();
      store?.close();
    };
  });

const NOT_DURABLE = { type: 'durability.answered', durable: false } as const;

/** The desk of one user with its real actors. */
export const provideDesk = (ports: Ports) =>
  deskMachine.provide({
    actors: {
      holdStore: holdStore(ports),
      requestPersistentStorage: fromTask<undefined>(
        ports,
        { name: 'requestPersistentStorage', limitMs: undefined, toFailure: () => NOT_DURABLE },
        async (): Promise<DeskSignal> => ({
          ...NOT_DURABLE,
          durable: await ports.requestPersistentStorage(),
        }),
      ),
      kept: provideUnsentRestore(ports),
      teams: provideTeams(ports),
      leader: provideLeader(ports),
    },
    delays: {
      retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt),
      patience: OPEN_PATIENCE_MS,
    },
  });

const toLogoutFailure = (error: AppError): LogoutSignal => ({ type: 'logout.failed', error });

/** Whether what is unsent can be sealed; keys that are not here yet are asked for. */
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
  ports: Ports,
  { store, uid }: UnsentInput,
  cancel: AbortSignal,
): Promise<LogoutSignal> => {
  const unsent = store ? await store.listUnsent() : ok([]);
  if (!unsent.ok) return toLogoutFailure(unsent.error);
  const drafts = store ? await store.hasDrafts(ports.tabId) : ok(false);
  if (!drafts.ok) return toLogoutFailure(drafts.error);
  const count = unsent.value.length;
  const keepable = count > 0 && store ? await canKeep(ports, store, uid, cancel) : false;
  return { type: 'unsent.counted', count, drafts: drafts.value, keepable };
};

const provideLogout = (ports: Ports) =>
  logoutMachine.provide({
    actors: {
      countUnsent: fromTask(
        ports,
        { name: 'countUnsent', limitMs: STORAGE_LIMIT_MS, toFailure: toLogoutFailure },
        (input: UnsentInput, cancel) => countUnsent(ports, input, cancel),
      ),
      watchQueue: fromCallback<EventObject, UnsentInput>(({ input, sendBack }) =>
        input.store?.watchQueuedRooms((rooms) =>
          sendBack({ type: 'queue.changed', rooms } satisfies LogoutSignal),
        ),
      ),
      signOut: fromTask(
        ports,
        { name: 'signOut', limitMs: STORAGE_LIMIT_MS, toFailure: toLogoutFailure },
        async (input: LeaveInput): Promise<LogoutSignal> => {
          const left = await signOut(ports, input);
          return left.ok ? { type: 'logout.done' } : toLogoutFailure(left.error);
        },
      ),
    },
  });

const UNFINISHED: SignOutCleanupSignal = { type: 'departures.failed' };

/** The clearing up after those who signed out with its real actors. */
export const provideSignOutCleanup = (ports: Ports) =>
  signOutCleanupMachine.provide({
    actors: {
      finish: fromTask<undefined>(
        ports,
        {
          name: 'purgeDepartedUsers',
          limitMs: SIGN_OUT_CLEANUP_LIMIT_MS,
          toFailure: () => UNFINISHED,
        },
        async (_input, cancel): Promise<SignOutCleanupSignal> =>
          (await purgeDepartedUsers(ports, cancel)) ? { type: 'departures.finished' } : UNFINISHED,
      ),
    },
    delays: { retryDelay: ({ context }) => toRefetchDelay(ports, context.attempt) },
  });

/** The whole page with its real actors. */
export const provideApp = (ports: Ports) =>
  appMachine.provide({
    actors: {
      session: provideSession(ports),
      logout: provideLogout(ports),
      desk: provideDesk(ports),
      departures: provideSignOutCleanup(ports),
    },
  });
