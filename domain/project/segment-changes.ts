import type { RoomKey } from '../rooms.ts';
import {
  earlierOf,
  fromEpochMs,
  laterOf,
  previousTimetoken,
  type Timetoken,
  toEpochMs,
  TIMETOKEN_ZERO,
} from '../timetoken.ts';
import type { Coverage } from './rows.ts';
import {
  type Segment,
  type Streamed,
  type Interval,
  toFloor,
  mergeSegments,
  mergeIntervals,
} from './segments.ts';

/** Changes to segments once a stream is open; not needed for the first paint. */

/**
 * A message accepted in another region may arrive this long after newer ones of other rooms (PubNub
 * orders live messages within one region only); the last moments of a stream are counted again, ms.
 */
const LATE_MS = 5000;

/**
 * An engine that may lose entries holds them no longer than this (PubNub: 16 to 20 minutes), ms.
 */
const HELD_MS = 20 * 60_000;

/** The maximum number of segments; beyond it, the oldest ones after the first are dropped. */
const SEGMENTS_MAX = 100;

/** The first segment stays: the gap after it is known through it alone. */
const limitSegments = (segments: readonly Segment[]): readonly Segment[] =>
  segments.filter((_, i) => i === 0 || i > segments.length - SEGMENTS_MAX);

const toReliableEnd = ({ after, to }: Segment): Timetoken =>
  laterOf(after, fromEpochMs(Math.max(0, toEpochMs(to) - LATE_MS)));

/** The segments as far as a later stream does not shorten the last one. */
export const toReliable = (segments: readonly Segment[]): readonly Segment[] => {
  const last = segments.at(-1);
  return segments.map((each) => (each === last ? { ...each, to: toReliableEnd(each) } : each));
};

/** Closes the open segment, if there is one. */
export const closeSegment = (segments: readonly Segment[]): readonly Segment[] =>
  mergeSegments(segments.map((segment) => ({ ...segment, isOpen: false })));

/**
 * Opens a segment after `after` and closes the previous one. `resumes`: nothing is left out between
 * the end of the last stream and this one, so that the segment around `after` continues. Otherwise
 * the last moments of that stream are not relied on. The first stream may deliver entries from
 * `requested` on, as far as its engine still holds them, without being complete before `after`: an
 * empty segment marks that position.
 */
export const openSegment = (
  segments: readonly Segment[],
  after: Timetoken,
  resumes: boolean,
  requested?: Timetoken,
): readonly Segment[] => {
  const held = fromEpochMs(Math.max(0, toEpochMs(after) - HELD_MS));
  const from = requested && laterOf(requested, held);
  const closed =
    segments.length === 0 && from !== undefined
      ? [{ after: from, to: from, isOpen: false }]
      : closeSegment(segments);
  const last = closed.at(-1);
  if (resumes && last !== undefined && last.after <= after && after <= last.to) {
    return [...closed.slice(0, -1), { ...last, isOpen: true }];
  }
  const earlier = toReliable(closed)
    .filter((segment) => segment.after <= after)
    .map((segment) => ({
      after: segment.after,
      to: earlierOf(segment.to, after),
      isOpen: false,
    }));
  return limitSegments(mergeSegments([...earlier, { after, to: after, isOpen: true }]));
};

/**
 * Adds an interval after a segment, once it is known to be complete in all rooms. Without that
 * segment nothing changes: the segments were cleared meanwhile, because the log is a different one.
 */
export const joinSegments = (
  segments: readonly Segment[],
  { after, to }: Interval,
): readonly Segment[] =>
  segments.some((segment) => segment.after <= after && after <= segment.to)
    ? mergeSegments([...segments, { after, to, isOpen: false }])
    : segments;

/**
 * The intervals in which entries of a room may be missing: between its own ranges and the segments,
 * oldest first. The interval before all of them is not a gap: it was never requested. A segment
 * that ends below the room's floor counts as ending at the floor: entries after it are missing,
 * like after any segment.
 */
export const findGaps = (
  room: RoomKey,
  own: Coverage | undefined,
  streamed: Streamed,
): readonly Interval[] => {
  const floor = previousTimetoken(toFloor(streamed, room));
  const known = mergeIntervals([
    ...(own?.ranges ?? []).map(({ from, to }) => ({ after: previousTimetoken(from), to })),
    ...streamed.segments.map(({ after, to }) => ({
      after: laterOf(after, floor),
      to: laterOf(to, floor),
    })),
  ]);
  return known
    .slice(1)
    .map(({ after }, i) => ({ after: known[i]?.to ?? TIMETOKEN_ZERO, to: after }));
};
