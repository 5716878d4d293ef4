import type { AppError } from '#domain/errors.ts';
import type { DeviceStore, OutdatedFlag } from '#domain/ports/device.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { type Session, sessionSchema } from '#domain/schemas/session.ts';

import type { DatabaseOptions } from '../schema/database.ts';
import { type Factory } from '../schema/open-existing.ts';
import { DeviceReads } from './device-reads.ts';

type Answer<T> = Promise<Result<T, AppError>>;

/**
 * How long another user's signed-in part stays open while the session that replaces it is being
 * stored, ms.
 */
const REPLACE_WAIT_MS = 1000;

const inTime = <T>(answer: Answer<T>): Answer<T> => {
  const late = Promise.withResolvers<Result<T, AppError>>();
  const timer = setTimeout(() => late.resolve(fail({ kind: 'timeout' })), REPLACE_WAIT_MS);
  return Promise.race([answer.finally(() => clearTimeout(timer)), late.promise]);
};

/**
 * Marks the stored session as outdated while it is being deleted or replaced by another user's:
 * either may fail or never finish, and the next start must not show the wrong user. A write removes
 * only its own flag, because a later write, here or in another tab, may still be pending.
 */
const withOutdatedFlag = (device: DeviceStore, outdated: OutdatedFlag): DeviceStore => {
  /** The uid of the stored session, as far as known to this page. */
  let storedUid: string | undefined;
  let lastCount: number | undefined;
  const findSignOuts: DeviceStore['findSignOuts'] = async () => {
    const found = await device.findSignOuts();
    if (!found.ok) return found;
    const { count } = found.value;
    // A sign-out, here or in another tab, deleted it.
    if (count !== (lastCount ?? count)) storedUid = undefined;
    lastCount = count;
    return found;
  };
  const findSession = async (): Answer<Session | undefined> => {
    if (outdated.isSet()) return ok(undefined);
    const found = await device.findSession();
    if (found.ok) storedUid = found.value?.user.uid;
    return found;
  };
  const save: DeviceStore['saveSession'] = async (session, count) => {
    const { uid } = session.user;
    // The server confirmed this session after any earlier flag was set.
    const flag = storedUid !== uid || outdated.isSet() ? outdated.set() : undefined;
    const saved = await device.saveSession(session, count);
    if (!saved.ok || !saved.value) return saved;
    storedUid = uid;
    if (flag !== undefined) outdated.remove(flag);
    return saved;
  };
  const saveSession: DeviceStore['saveSession'] = (session, count) => {
    const isOther = storedUid !== undefined && storedUid !== session.user.uid;
    const saved = save(session, count);
    return isOther ? inTime(saved) : saved;
  };
  const clearSession = async (): Answer<void> => {
    storedUid = undefined;
    const flag = outdated.set();
    const cleared = await device.clearSession();
    if (cleared.ok) outdated.remove(flag);
    // A write that finished meanwhile has removed its own flag; it is unknown which of the two was
    // last.
    else outdated.set();
    return cleared;
  };
  return { ...device, findSignOuts, findSession, saveSession, clearSession };
};

/**
 * A device store whose library loads with its first write. Until then it reads by itself; if that
 * fails, the full store reads, with its recovery, logs and errors. Deletions of an absent session
 * or pending sign-out are skipped. Error `storage` if the library does not load.
 */
export const createLazyDeviceStore = (
  options: Pick<DatabaseOptions, 'space'> & { readonly outdated?: OutdatedFlag },
  load: () => Promise<DeviceStore>,
  factory: Factory = indexedDB,
): DeviceStore => {
  const reads = new DeviceReads(factory);
  let whole: DeviceStore | undefined;
  let loading: Promise<DeviceStore> | undefined;

  const loadWhole = async (): Promise<DeviceStore> => {
    loading ??= load();
    try {
      whole = await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
    reads.close();
    return whole;
  };
  const inWhole = async <T>(work: (store: DeviceStore) => Answer<T>): Answer<T> => {
    try {
      return await work(whole ?? (await loadWhole()));
    } catch (error) {
      return fail({ kind: 'storage', detail: String(error) });
    }
  };
  /** The value of `read`, or of the full store if `read` returns undefined or fails. */
  const unlessRead = async <T>(
    read: () => Promise<{ readonly value: T } | undefined>,
    work: (store: DeviceStore) => Answer<T>,
  ): Answer<T> => {
    await options.space?.checked;
    const canRead = whole === undefined && options.space?.view.isClosed !== true;
    const found = canRead ? await read().catch(() => undefined) : undefined;
    return found === undefined ? inWhole(work) : ok(found.value);
  };

  const device: DeviceStore = {
    findSession: () =>
      unlessRead(
        async () => {
          const session = await reads.findSession();
          if (session === undefined) return { value: undefined };
          const parsed = sessionSchema.safeParse(session);
          return parsed.success ? { value: parsed.data } : undefined;
        },
        (store) => store.findSession(),
      ),
    findSignOuts: () =>
      unlessRead(
        async () => ({ value: await reads.findSignOuts() }),
        (store) => store.findSignOuts(),
      ),
    listPendingPurges: () =>
      unlessRead(
        async () => ({ value: await reads.listPendingPurges() }),
        (store) => store.listPendingPurges(),
      ),
    clearSession: () =>
      unlessRead(
        async () => ((await reads.findSession()) === undefined ? { value: undefined } : undefined),
        (store) => store.clearSession(),
      ),
    confirmSignOut: () =>
      unlessRead(
        async () => ((await reads.findSignOuts()).pending ? undefined : { value: undefined }),
        (store) => store.confirmSignOut(),
      ),
    saveSession: (session, count) => inWhole((store) => store.saveSession(session, count)),
    signOut: (purge) => inWhole((store) => store.signOut(purge)),
    purgeUserData: (uid, own) => inWhole((store) => store.purgeUserData(uid, own)),
    openKept: (uid, keys) => inWhole((store) => store.openKept(uid, keys)),
    dropKept: (uid, kept) => inWhole((store) => store.dropKept(uid, kept)),
    discardKept: (uid) => inWhole((store) => store.discardKept(uid)),
  };
  return options.outdated === undefined ? device : withOutdatedFlag(device, options.outdated);
};
