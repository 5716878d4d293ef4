import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { Cancellation, OutboxItem, Ports, Store } from '#domain/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';

import { finishDeparture } from './finish-departure.ts';

/** How a message put aside comes back: as it was accepted, and tried or refused where it was. */
const toFacts = (item: OutboxItem): readonly Fact[] => {
  const { id, room, text, uid, at, attemptedAfter: after } = item;
  const facts: Fact[] = [{ type: 'v1.MessageQueued', id, room, text, uid, at }];
  if (after !== undefined) facts.push({ type: 'v1.PublishAttempted', id, room, uid, after });
  if (item.state === 'queued') return facts;
  return [...facts, { type: 'v1.PublishFailed', id, room, reason: item.reason ?? '', at }];
};

/** Puts messages kept at an earlier sign-out back into the outbox. */
const takeBack = async (
  { device }: Pick<Ports, 'device'>,
  store: Store,
  uid: string,
  kept: readonly OutboxItem[],
): Promise<Result<unknown, AppError>> => {
  const own = kept.filter((item) => item.uid === uid);
  const stored = await store.append(own.flatMap(toFacts));
  return stored.ok ? device.dropKept(uid) : stored;
};

const LEFT: AppError = { kind: 'storage', detail: 'The user has left.' };

/**
 * Opens the store of a user who signed in: finishes an earlier sign-out first, then brings
 * back what was kept. Kept messages that cannot be stored now come back another time. Once
 * cancelled it opens nothing: the user has left, the store may go any moment, and the ports take
 * whom the last store was opened for as the user.
 */
export const openDesk = async (
  ports: Pick<Ports, 'openStore' | 'device' | 'clientLog' | 'locks'>,
  uid: string,
  cancel: Cancellation,
): Promise<Result<Store, AppError>> => {
  const { openStore, device, clientLog } = ports;
  const returning = await device.findReturning(uid);
  if (returning.ok && returning.value.isLeaving) {
    const finished = await finishDeparture(ports, uid);
    if (!finished.ok) return finished;
  }
  if (cancel.aborted) return fail(LEFT);
  const opened = await openStore(uid);
  if (!opened.ok || !returning.ok || cancel.aborted) return opened;
  const kept = returning.value.isLeaving ? await device.findReturning(uid) : returning;
  if (!kept.ok || kept.value.kept.length === 0 || cancel.aborted) return opened;
  const taken = await takeBack(ports, opened.value, uid, kept.value.kept);
  if (!taken.ok) clientLog.write('error', 'KEPT_UNREAD', { kind: taken.error.kind });
  return ok(opened.value);
};
