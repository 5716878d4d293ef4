import type { AppError } from '#domain/errors.ts';
import { CATCH_UP_PAGE_SIZE, HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Coverage, OutboxItem } from '#domain/project/rows.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { nextTimetoken, type Timetoken } from '#domain/timetoken.ts';

import { loadPage } from '../history/load-page.ts';
import type { LeaderInput } from '../kit/inputs.ts';

/** The covered range around a position, or the position alone. */
const findRange = (
  known: Coverage | undefined,
  position: Timetoken,
): { readonly from: Timetoken; readonly to: Timetoken } =>
  known?.ranges.find(({ from, to }) => from <= position && position <= to) ?? {
    from: position,
    to: position,
  };

/** A position of the room before anything sent from now on. */
const findPosition = async (
  ports: Pick<Ports, 'realtime'>,
  leader: LeaderInput,
  room: RoomKey,
  cancel: AbortSignal,
): Promise<Result<Timetoken, AppError>> => {
  const known = await leader.store.findCoverage(room);
  if (!known.ok) return known;
  const newest = known.value?.ranges.at(-1);
  if (newest !== undefined) return ok(newest.to);
  const page = await loadPage(ports, leader, { room, count: HISTORY_PAGE_SIZE }, cancel);
  return page.ok ? ok(page.value.to) : page;
};

/**
 * Records durably that a message is about to be sent for the first time, so that it counts as
 * possibly arrived if it is still queued later, even after a crash.
 */
export const recordAttempt = async (
  ports: Pick<Ports, 'realtime'>,
  leader: LeaderInput,
  { id, room, uid }: OutboxItem,
  cancel: AbortSignal,
): Promise<Result<unknown, AppError>> => {
  const after = await findPosition(ports, leader, room, cancel);
  if (!after.ok) return after;
  const fact = { type: 'v1.PublishAttempted', id, room, uid, after: after.value } as const;
  return leader.store.append([fact], leader.fence);
};

/**
 * Whether a message that was attempted before still has to be sent. Reads the room's log from its
 * end down to the position of the first attempt, or to the coverage since then, and stores it: a
 * copy found there removes the message from the outbox. Pages already read are not read again after
 * a failure, nor at the next lookup.
 */
export const reconcilePublish = async (
  ports: Pick<Ports, 'realtime'>,
  leader: LeaderInput,
  { id, room }: OutboxItem,
  attemptedAfter: Timetoken,
  cancel: AbortSignal,
): Promise<Result<boolean, AppError>> => {
  const { store } = leader;
  let before: Timetoken | undefined;
  while (!cancel.aborted) {
    const known = await store.findCoverage(room);
    if (!known.ok) return known;
    const after = findRange(known.value, attemptedAfter).to;
    if (before !== undefined) before = findRange(known.value, before).from;
    const next = await store.findNextQueued(room);
    if (!next.ok) return next;
    if (next.value?.id !== id) return ok(false);
    if (before !== undefined && before <= nextTimetoken(after)) return ok(true);
    const query = { room, count: CATCH_UP_PAGE_SIZE, after, ...(before && { before }) };
    const page = await loadPage(ports, leader, query, cancel);
    if (!page.ok) return page;
    before = page.value.from;
  }
  return fail({ kind: 'unreachable' });
};
