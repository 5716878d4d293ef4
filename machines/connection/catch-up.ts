import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import { CATCH_UP_PAGE_SIZE } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { AllCoverage } from '#domain/ports/storage.ts';
import { findGaps } from '#domain/project/segment-changes.ts';
import type { Interval } from '#domain/project/segments.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { laterOf, nextTimetoken, previousTimetoken, TIMETOKEN_MAX } from '#domain/timetoken.ts';

import { isOverfull, loadPage } from '../history/load-page.ts';
import type { RoomReader } from './read-rooms.ts';
import type { LeaderInput } from '../kit/inputs.ts';
import type { StreamInput } from './run-stream.ts';

type Outcome = Result<unknown, AppError>;

/** The gaps of each room, oldest first; rooms without a gap are omitted. */
type Gaps = ReadonlyMap<RoomKey, readonly Interval[]>;

const listGaps = (known: AllCoverage): Gaps =>
  new Map(
    known.rooms
      .map((room) => [room, findGaps(room, known.pages.get(room), known)] as const)
      .filter(([, gaps]) => gaps.length > 0),
  );

/**
 * Fills the gaps of rooms from the engine's history, the newest entries first, until the device
 * holds the maximum of newer messages: then older gaps are dropped.
 */
class GapFiller {
  readonly #ports: Pick<Ports, 'realtime'>;
  readonly #leader: LeaderInput;
  readonly #cancel: AbortSignal;
  readonly #remaining: Map<RoomKey, readonly Interval[]>;

  constructor(
    ports: Pick<Ports, 'realtime'>,
    leader: LeaderInput,
    gaps: Gaps,
    cancel: AbortSignal,
  ) {
    this.#ports = ports;
    this.#leader = leader;
    this.#remaining = new Map(gaps);
    this.#cancel = cancel;
  }

  listUnfilled(rooms: readonly RoomKey[]): readonly RoomKey[] {
    return rooms.filter((room) => (this.#remaining.get(room)?.length ?? 0) > 0);
  }

  /** Reads one page into the newest gap of a room. */
  async readPage(room: RoomKey): Promise<Outcome> {
    const gaps = this.#remaining.get(room) ?? [];
    const gap = gaps.at(-1);
    if (gap === undefined) return ok(undefined);
    const before = nextTimetoken(gap.to);
    const full = await isOverfull(this.#leader.store, room, gap.to);
    if (!full.ok) return full;
    if (full.value) {
      this.#remaining.set(room, []);
      return this.#leader.store.dropBefore(this.#leader.fence, room, before);
    }
    const query = { room, count: CATCH_UP_PAGE_SIZE, before, after: gap.after };
    const page = await loadPage(this.#ports, this.#leader, query, this.#cancel);
    if (!page.ok) return page;
    const to = previousTimetoken(page.value.from);
    const rest = to > gap.after ? [{ after: gap.after, to }] : [];
    this.#remaining.set(room, [...gaps.slice(0, -1), ...rest]);
    return page;
  }

  async fill(room: RoomKey): Promise<Outcome> {
    while (!this.#cancel.aborted) {
      const outcome = await this.readPage(room);
      if (!outcome.ok || this.listUnfilled([room]).length === 0) return outcome;
    }
    return fail({ kind: 'unreachable' });
  }
}

const isSame = (a: Interval, b: Interval): boolean => a.after === b.after && a.to === b.to;

/** The gaps between segments, which all rooms share if the engine names the stream's rooms. */
const listShared = ({ segments, isNamed }: AllCoverage): readonly Interval[] =>
  isNamed
    ? segments.slice(1).map(({ after: to }, i) => ({ after: segments[i]?.to ?? to, to }))
    : [];

/** Records rooms without an entry in their gaps as complete there, except in the gaps `shared`. */
const recordQuiet = async (
  { store, fence }: LeaderInput,
  gaps: Gaps,
  quiet: readonly RoomKey[],
  shared: readonly Interval[],
): Promise<Outcome> => {
  const pages = quiet.flatMap((room): readonly Fact[] =>
    (gaps.get(room) ?? [])
      .filter((gap) => !shared.some((other) => isSame(gap, other)))
      .map(({ after, to }) => ({
        type: 'v1.HistoryPageLoaded',
        room,
        from: nextTimetoken(after),
        to,
        reachedStart: false,
      })),
  );
  return pages.length === 0 ? ok(0) : store.append(pages, fence);
};

/** Joins the segments around gaps in which every room is complete. */
const joinAll = async (
  { store, fence }: LeaderInput,
  shared: readonly Interval[],
  cancel: AbortSignal,
): Promise<Outcome> => {
  for (const gap of shared) {
    if (cancel.aborted) return fail({ kind: 'unreachable' });
    const joined = await store.joinSegments(fence, gap);
    if (!joined.ok) return joined;
  }
  return ok(undefined);
};

/**
 * The known coverage, including everything that this tab's stream has stored since the last
 * heartbeat.
 */
const findCurrentCoverage = async ({
  store,
  cursor,
}: StreamInput): Promise<Result<AllCoverage, AppError>> => {
  const known = await store.findAllCoverage();
  if (!known.ok || cursor === undefined) return known;
  const segments = known.value.segments.map((segment) =>
    segment.isOpen ? { ...segment, to: laterOf(segment.to, cursor) } : segment,
  );
  return ok({ ...known.value, segments });
};

/**
 * Brings every room of the stream up to date: one count for all rooms with a gap in their
 * coverage, then the newest page of each that has entries there, then the rest. A gap that
 * remains after a failure or a crash is filled by the next run. `reader` remembers between runs
 * which rooms failed.
 */
export const catchUp = async (
  ports: Pick<Ports, 'realtime'>,
  leader: StreamInput,
  reader: RoomReader,
  cancel: AbortSignal,
): Promise<Outcome> => {
  const known = await findCurrentCoverage(leader);
  if (!known.ok) return known;
  const gaps = listGaps(known.value);
  if (gaps.size === 0) return ok(undefined);
  const since = new Map(
    Array.from(gaps, ([room, [oldest]]) => [room, oldest?.after ?? TIMETOKEN_MAX] as const),
  );
  const counts = await ports.realtime.countSince(since, cancel);
  if (!counts.ok) return counts;
  const quiet = [...gaps.keys()].filter((room) => counts.value.get(room) === 0);
  const behind = [...gaps.keys()].filter((room) => counts.value.get(room) !== 0);
  const filler = new GapFiller(ports, leader, gaps, cancel);
  const shared = listShared(known.value);
  const newest = await reader.read(behind, cancel, (room) => filler.readPage(room));
  const rest = filler.listUnfilled(behind);
  if (cancel.aborted) return fail({ kind: 'unreachable' });
  // Quiet rooms do not wait until the others, which may fail, are complete.
  const recorded = await recordQuiet(leader, gaps, quiet, rest.length > 0 ? [] : shared);
  if (!recorded.ok) return recorded;
  if (newest.error !== undefined && newest.stopped) return fail(newest.error);
  const filled = await reader.read(rest, cancel, (room) => filler.fill(room));
  const error = filled.error ?? newest.error;
  if (error !== undefined) return fail(error);
  return joinAll(leader, shared, cancel);
};
