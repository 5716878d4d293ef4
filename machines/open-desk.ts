import type { Returning } from '#domain/device-port.ts';
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
const putBack = async (
  { device }: Pick<Ports, 'device'>,
  store: Store,
  uid: string,
  { kept, turn }: Returning,
): Promise<Result<unknown, AppError>> => {
  const own = kept.filter((item) => item.uid === uid);
  if (own.length === 0) return ok(undefined);
  const stored = await store.append(own.flatMap(toFacts));
  return stored.ok ? device.dropKept(uid, turn) : stored;
};

/** Looks for messages kept at an earlier sign-out and puts them back. */
export const takeBack = async (
  { device, clientLog }: Pick<Ports, 'device' | 'clientLog'>,
  store: Store,
  uid: string,
): Promise<Result<unknown, AppError>> => {
  const returning = await device.findReturning(uid);
  const taken = returning.ok ? await putBack({ device }, store, uid, returning.value) : returning;
  if (!taken.ok) clientLog.write('error', 'KEPT_UNREAD', { kind: taken.error.kind });
  return taken;
};

const LEFT: AppError = { kind: 'storage', detail: 'The user has left.' };

/**
 * Opens the store of a user who signed in: finishes an earlier sign-out first, then brings
 * back what was kept, ahead of what is written next. What cannot be stored now comes back
 * later (kept.machine.ts). Once cancelled it opens nothing: the user has left, the store may go
 * any moment, and the ports take whom the last store was opened for as the user.
 */
export const openDesk = async (
  ports: Pick<Ports, 'openStore' | 'device' | 'clientLog' | 'locks'>,
  uid: string,
  cancel: Cancellation,
): Promise<Result<Store, AppError>> => {
  const { openStore, device } = ports;
  const returning = await device.findReturning(uid);
  const isLeaving = returning.ok && returning.value.isLeaving;
  if (isLeaving) {
    const finished = await finishDeparture(ports, uid, cancel);
    if (!finished.ok) return finished;
  }
  if (cancel.aborted) return fail(LEFT);
  const opened = await openStore(uid);
  if (!opened.ok || !returning.ok || cancel.aborted) return opened;
  if (isLeaving || returning.value.kept.length > 0) await takeBack(ports, opened.value, uid);
  return opened;
};
