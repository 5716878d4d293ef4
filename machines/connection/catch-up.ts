import type { AppError } from '#domain/errors.ts';
import { CATCH_UP_PAGE_SIZE, RETENTION_KEPT_MAX } from '#domain/limits.ts';
import type { Coverage } from '#domain/project/rows.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { type Timetoken, TIMETOKEN_MAX } from '#domain/timetoken.ts';

import { loadPage } from '../history/load-page.ts';
import type { RoomReader } from './read-rooms.ts';
import type { LeaderInput } from '../kit/inputs.ts';

type Outcome = Result<unknown, AppError>;

/** The watermark of each room: the end of the range known without a gap. */
const toWatermarks = (known: readonly Coverage[]): ReadonlyMap<RoomKey, Timetoken> =>
  new Map(
    known.flatMap(({ room, ranges }) => {
      const newest = ranges.at(-1);
      return newest === undefined ? [] : [[room, newest.to] as const];
    }),
  );

/** Whether so many messages follow a position that retention prunes what is before it. */
const isBeyondKept = async (
  { store }: LeaderInput,
  room: RoomKey,
  place: Timetoken,
): Promise<Result<boolean, AppError>> => {
  const kept = await store.findOlder(room, RETENTION_KEPT_MAX, TIMETOKEN_MAX);
  if (!kept.ok) return kept;
  const isFull = kept.value !== undefined && kept.value.count >= RETENTION_KEPT_MAX;
  return ok(isFull && kept.value.from >= place);
};

/**
 * Fills the gaps between a room's ranges, newest gap first, until none is left or the device holds
 * the maximum of the room: older messages would be pruned again. Retention then removes the gap
 * with the messages before it.
 */
const fillGaps = async (
  ports: Pick<Ports, 'realtime'>,
  leader: LeaderInput,
  room: RoomKey,
  cancel: AbortSignal,
): Promise<Outcome> => {
  while (!cancel.aborted) {
    const known = await leader.store.findCoverage(room);
    if (!known.ok) return known;
    const [earlier, later] = known.value?.ranges.slice(-2) ?? [];
    if (earlier === undefined || later === undefined) return ok(undefined);
    const beyond = await isBeyondKept(leader, room, later.from);
    if (!beyond.ok) return beyond;
    if (beyond.value) return ok(undefined);
    const query = { room, count: CATCH_UP_PAGE_SIZE, before: later.from, after: earlier.to };
    const page = await loadPage(ports, leader, query, cancel);
    if (!page.ok) return page;
  }
  return fail({ kind: 'unreachable' });
};

/**
 * Brings every covered room up to date: first the newest page of each room with new entries, then
 * the gaps. A gap that remains after a failure or a crash is filled by the next run. Live messages
 * never extend the coverage here. `reader` remembers between runs which rooms failed.
 */
export const catchUp = async (
  ports: Pick<Ports, 'realtime'>,
  leader: LeaderInput,
  reader: RoomReader,
  cancel: AbortSignal,
): Promise<Outcome> => {
  const before = await leader.store.listCoverage();
  if (!before.ok) return before;
  const watermarks = toWatermarks(before.value);
  if (watermarks.size === 0) return ok(undefined);
  const counts = await ports.realtime.countSince(watermarks, cancel);
  if (!counts.ok) return counts;
  const behind = [...watermarks.keys()].filter((room) => (counts.value.get(room) ?? 0) > 0);
  const newest = await reader.read(behind, cancel, (room) => {
    const after = watermarks.get(room);
    const query = { room, count: CATCH_UP_PAGE_SIZE, ...(after && { after }) };
    return loadPage(ports, leader, query, cancel);
  });
  if (newest.error !== undefined && newest.stopped) return fail(newest.error);
  const after = await leader.store.listCoverage();
  if (!after.ok) return after;
  const gapped = after.value.filter(({ ranges }) => ranges.length > 1).map(({ room }) => room);
  const filled = await reader.read(gapped, cancel, (room) => fillGaps(ports, leader, room, cancel));
  const error = filled.error ?? newest.error;
  return error === undefined ? ok(undefined) : fail(error);
};
