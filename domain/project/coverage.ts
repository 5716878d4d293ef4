import type { FactOf } from '../events.ts';
import type { Coverage } from './rows.ts';
import type { RoomKey } from '../rooms.ts';
import {
  compareTimetokens,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_ZERO,
} from '../timetoken.ts';

/** Both ends inclusive. */
export type CoverageRange = Coverage['ranges'][number];

const isTouching = (earlier: CoverageRange, later: CoverageRange): boolean =>
  later.from <= earlier.to || later.from === nextTimetoken(earlier.to);

/** The union of ranges: disjoint, with a gap between any two, in ascending order. */
export const mergeRanges = (ranges: readonly CoverageRange[]): readonly CoverageRange[] => {
  const sorted = ranges
    .filter(({ from, to }) => from <= to)
    .toSorted((a, b) => compareTimetokens(a.from, b.from));
  const merged: { from: Timetoken; to: Timetoken }[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && isTouching(last, range)) last.to = laterOf(last.to, range.to);
    else merged.push({ from: range.from, to: range.to });
  }
  return merged;
};

/**
 * Adds a page to the coverage of a room. A page that reached the start covers everything before
 * it: its range begins at zero, so the oldest range always contains the start, and a plain
 * union makes the order of pages irrelevant.
 */
export const coverPage = (
  known: Coverage | undefined,
  page: FactOf<'v1.HistoryPageLoaded'>,
): Coverage => {
  const from = page.reachedStart ? TIMETOKEN_ZERO : page.from;
  const ranges = mergeRanges([...(known?.ranges ?? []), { from, to: page.to }]);
  return { room: page.room, ranges, reachedStart: ranges[0]?.from === TIMETOKEN_ZERO };
};

const EMPTY: readonly CoverageRange[] = [];

/** Coverage of a room without any known range. */
export const toEmptyCoverage = (room: RoomKey): Coverage => ({
  room,
  ranges: EMPTY,
  reachedStart: false,
});

export const isSameCoverage = (a: Coverage, b: Coverage): boolean =>
  a.reachedStart === b.reachedStart &&
  a.ranges.length === b.ranges.length &&
  a.ranges.every(({ from, to }, i) => from === b.ranges[i]?.from && to === b.ranges[i]?.to);
