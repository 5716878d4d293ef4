import type { RoomKey } from '../rooms.ts';
import {
  compareTimetokens,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_ZERO,
} from '../timetoken.ts';
import { mergeRanges } from './coverage.ts';
import type { Coverage } from './rows.ts';

/**
 * An interval of the logs of all rooms: after `after`, up to and including `to`. Empty if both are
 * equal: it then only marks the position after which to count.
 */
export interface Interval {
  readonly after: Timetoken;
  readonly to: Timetoken;
}

/**
 * An interval that the stream delivered without leaving anything out. At most one segment is open.
 */
export interface Segment extends Interval {
  readonly isOpen: boolean;
}

const byStart = (a: Interval, b: Interval): number => compareTimetokens(a.after, b.after);

/** The union of intervals in ascending order; none touches the next. */
export const mergeIntervals = (intervals: readonly Interval[]): readonly Interval[] => {
  const merged: { after: Timetoken; to: Timetoken }[] = [];
  for (const { after, to } of intervals.toSorted(byStart)) {
    if (to < after) continue;
    const last = merged.at(-1);
    if (last !== undefined && after <= last.to) last.to = laterOf(last.to, to);
    else merged.push({ after, to });
  }
  return merged;
};

/** The union of segments. A segment that touches the open one becomes part of it. */
export const mergeSegments = (segments: readonly Segment[]): readonly Segment[] =>
  mergeIntervals(segments).map(({ after, to }) => ({
    after,
    to,
    isOpen: segments.some((one) => one.isOpen && after <= one.after && one.after <= to),
  }));

/** The coverage of the user's rooms by the stream, beyond the pages read of each. */
export interface Streamed {
  readonly segments: readonly Segment[];
  /** The positions at which segments begin to cover these rooms. */
  readonly floors: ReadonlyMap<RoomKey, Timetoken>;
}

/** Where segments begin to cover a room. */
export const toFloor = ({ floors }: Streamed, room: RoomKey): Timetoken =>
  floors.get(room) ?? TIMETOKEN_ZERO;

/** The coverage of a room by its own pages and by the stream. */
export interface RoomCoverage extends Coverage {
  /** Where the newest segment begins: a position that a page read from now on includes. */
  readonly since?: Timetoken;
}

/**
 * The coverage of a room: its own history ranges and the segments of the stream together;
 * undefined if there is neither.
 */
export const coverRoom = (
  room: RoomKey,
  own: Coverage | undefined,
  streamed: Streamed,
): RoomCoverage | undefined => {
  const newest = streamed.segments.at(-1);
  if (newest === undefined) return own;
  const floor = toFloor(streamed, room);
  const ranges = mergeRanges([
    ...(own?.ranges ?? []),
    ...streamed.segments.map(({ after, to }) => ({
      from: laterOf(nextTimetoken(after), floor),
      to,
    })),
  ]);
  return {
    room,
    ranges,
    reachedStart: ranges[0]?.from === TIMETOKEN_ZERO,
    since: newest.after,
  };
};

/**
 * The segments as a thread shows them. An empty one is extended by one position, so that the gap
 * before it is rendered as a line as soon as the stream delivers something after it.
 */
export const toShownSegments = (segments: readonly Segment[]): readonly Segment[] =>
  segments.map((segment) => ({
    ...segment,
    to: laterOf(segment.to, nextTimetoken(segment.after)),
  }));

/**
 * Whether a page of a room lies beyond the open segment: the stream may have delivered the entries
 * in between since the segments were read.
 */
export const isBeyondStream = (pages: Coverage | undefined, { segments }: Streamed): boolean => {
  const last = segments.at(-1);
  const from = pages?.ranges.at(-1)?.from;
  return last?.isOpen === true && from !== undefined && from > nextTimetoken(last.to);
};
