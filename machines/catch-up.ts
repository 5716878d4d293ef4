import type { AppError } from '#domain/errors.ts';
import { CATCH_UP_PAGE_SIZE } from '#domain/limits.ts';
import type { Cancellation, Coverage, Ports } from '#domain/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { CATCH_UP_ROOMS_AT_ONCE } from './limits.ts';
import { loadPage } from './load-page.ts';
import type { LeaderInput } from './room-sender.machine.ts';

type Outcome = Result<unknown, AppError>;

/** A failure of one room's own; the others can be read all the same. */
export const isOfOneRoom = ({ kind }: AppError): boolean =>
  kind === 'server' || kind === 'malformed' || kind === 'rejected' || kind === 'forbidden';

/** Runs `step` for all items, a few at once; a failure that concerns all stops the rest. */
const forEach = async <T>(
  items: readonly T[],
  cancel: Cancellation,
  step: (item: T) => Promise<Outcome>,
): Promise<Outcome> => {
  const rest = [...items];
  let failed: Outcome = ok(undefined);
  const work = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      const outcome = await step(item);
      if (!outcome.ok) failed = outcome;
      if (cancel.aborted || (!outcome.ok && !isOfOneRoom(outcome.error))) rest.length = 0;
    }
  };
  await Promise.all(Array.from({ length: CATCH_UP_ROOMS_AT_ONCE }, work));
  return failed;
};

/** The watermark of each room: everything up to there is known without a gap. */
const toWatermarks = (known: readonly Coverage[]): ReadonlyMap<RoomKey, Timetoken> =>
  new Map(
    known.flatMap(({ room, ranges }) => {
      const newest = ranges.at(-1);
      return newest === undefined ? [] : [[room, newest.to] as const];
    }),
  );

/** Reads the gaps between a room's ranges, newest gap first, until none is left. */
const fillGaps = async (
  ports: Pick<Ports, 'realtime'>,
  leader: LeaderInput,
  room: RoomKey,
  cancel: Cancellation,
): Promise<Outcome> => {
  while (!cancel.aborted) {
    const known = await leader.store.findCoverage(room);
    if (!known.ok) return known;
    const [earlier, later] = known.value?.ranges.slice(-2) ?? [];
    if (earlier === undefined || later === undefined) return ok(undefined);
    const query = { room, count: CATCH_UP_PAGE_SIZE, before: later.from, after: earlier.to };
    const page = await loadPage(ports, leader, query, cancel);
    if (!page.ok) return page;
  }
  return fail({ kind: 'unreachable' });
};

/**
 * Brings every known room up to date: first the newest page of each room that has news,
 * then the gaps. What is left open after a failure or a crash is a gap between ranges,
 * which the next run fills. Live messages never count as known here.
 */
export const catchUp = async (
  ports: Pick<Ports, 'realtime'>,
  leader: LeaderInput,
  cancel: Cancellation,
): Promise<Outcome> => {
  const before = await leader.store.listCoverage();
  if (!before.ok) return before;
  const watermarks = toWatermarks(before.value);
  if (watermarks.size === 0) return ok(undefined);
  const counts = await ports.realtime.countSince(watermarks, cancel);
  if (!counts.ok) return counts;
  const behind = [...watermarks].filter(([room]) => (counts.value.get(room) ?? 0) > 0);
  const newest = await forEach(behind, cancel, ([room, after]) =>
    loadPage(ports, leader, { room, count: CATCH_UP_PAGE_SIZE, after }, cancel),
  );
  if (!newest.ok && !isOfOneRoom(newest.error)) return newest;
  const after = await leader.store.listCoverage();
  if (!after.ok) return after;
  const gapped = after.value.filter(({ ranges }) => ranges.length > 1);
  const filled = await forEach(gapped, cancel, ({ room }) => fillGaps(ports, leader, room, cancel));
  return filled.ok ? newest : filled;
};
