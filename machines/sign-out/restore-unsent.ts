import type { OwnKeys, StoreFlag } from '#domain/ports/device.ts';
import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, ok, type Result } from '#domain/result.ts';

/** What was lost while the page was closed: nothing, a store without unsent messages, or more. */
export type StoreLoss = 'none' | 'store' | 'unsent';

/**
 * Compares a store with its flag. Only a newly created store can have lost anything; kept messages
 * that are missing were lost, too.
 */
const findStoreLoss = ({
  isNew,
  flag,
  hasKept,
}: {
  readonly isNew: boolean;
  readonly flag: StoreFlag | undefined;
  readonly hasKept: boolean;
}): StoreLoss => {
  if (!isNew || flag === undefined) return 'none';
  if (flag === 'kept') return hasKept ? 'none' : 'unsent';
  return flag === 'unsent' ? 'unsent' : 'store';
};

/** The notices for a user whose store was opened. */
export interface Returned {
  readonly loss: StoreLoss;
  /** There are kept messages that none of the keys decrypts. */
  readonly unreadable: boolean;
}

/** The facts of a kept message: accepted, and attempted or refused if it was. */
const toFacts = (item: OutboxItem): readonly Fact[] => {
  const { id, room, text, uid, at, attemptedAfter: after } = item;
  const facts: Fact[] = [{ type: 'v1.MessageQueued', id, room, text, uid, at }];
  if (after !== undefined) facts.push({ type: 'v1.PublishAttempted', id, room, uid, after });
  if (item.state === 'queued') return facts;
  return [...facts, { type: 'v1.PublishFailed', id, room, reason: item.reason ?? '', at }];
};

type ReturnPorts = Pick<Ports, 'device' | 'clientLog' | 'sessionApi'>;

/**
 * Restores the messages that the keys decrypt, and stores the keys with the data. Kept messages
 * are deleted last: a store without keys, whose flag says that messages are kept, counts as lost
 * once they are gone.
 */
const restoreWith = async (
  { device }: Pick<Ports, 'device'>,
  store: Store,
  uid: string,
  own: OwnKeys,
  cancel: AbortSignal,
): Promise<Result<Returned, AppError>> => {
  const kept = await device.openKept(uid, own.keys);
  if (!kept.ok) return kept;
  const items = kept.value.items.filter((item) => item.uid === uid);
  const stored = items.length > 0 ? await store.append(items.flatMap(toFacts)) : ok(0);
  if (!stored.ok) return stored;
  // Only the first run that stores the keys learns that the store was lost.
  if (cancel.aborted) return fail({ kind: 'unreachable' });
  const known = await store.saveKeys(own);
  if (!known.ok) return known;
  if (kept.value.opened.length > 0 || items.length > 0) {
    const dropped = await device.dropKept(uid, kept.value);
    if (!dropped.ok) return dropped;
  }
  const unreadable = kept.value.unreadable > 0;
  const hasKept = kept.value.items.length > 0 || unreadable;
  return ok({ loss: findStoreLoss({ ...known.value, hasKept }), unreadable });
};

/**
 * Fetches the user's keys, restores the messages of earlier sign-outs that they decrypt, and
 * determines whether an earlier store was lost.
 */
export const restoreUnsent = async (
  { device, clientLog, sessionApi }: ReturnPorts,
  store: Store,
  uid: string,
  cancel: AbortSignal,
): Promise<Result<Returned, AppError>> => {
  const own = await sessionApi.getKeys(uid, cancel);
  if (!own.ok) return own;
  if (cancel.aborted) return fail({ kind: 'unreachable' });
  const restored = await restoreWith({ device }, store, uid, own.value, cancel);
  // Not after a sign-out, which closes the store; a timeout is reported by itself.
  if (!restored.ok && !cancel.aborted) {
    clientLog.write('error', 'KEPT_UNREAD', { kind: restored.error.kind });
  }
  return restored;
};
