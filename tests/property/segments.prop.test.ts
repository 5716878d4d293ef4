import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  closeSegment,
  findGaps,
  joinSegments,
  openSegment,
} from '#domain/project/segment-changes.ts';
import {
  coverRoom,
  type Segment,
  type Interval,
  mergeSegments,
  mergeIntervals,
} from '#domain/project/segments.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { fromEpochMs, nextTimetoken, type Timetoken, toEpochMs } from '#domain/timetoken.ts';
import { at, ROOM } from '#tests/support/facts.ts';

const tick = (n: number): Timetoken => at(n * 1000);
const before5s = (t: Timetoken): Timetoken => fromEpochMs(toEpochMs(t) - 5000);
const TICKS = Array.from({ length: 42 }, (_, n) => tick(n));
const arbitraryTick = fc.integer({ min: 0, max: 40 }).map(tick);
const arbitraryInterval = fc
  .tuple(arbitraryTick, arbitraryTick)
  .map(([a, b]): Interval => (a < b ? { after: a, to: b } : { after: b, to: a }));
const arbitraryIntervals = fc.array(arbitraryInterval, { maxLength: 12 });
const toSegments = (intervals: readonly Interval[]): readonly Segment[] =>
  mergeSegments(intervals.map(({ after, to }) => ({ after, to, isOpen: false })));
/** As stored: the newest one may be open. */
const arbitrarySegments = fc
  .tuple(arbitraryIntervals, fc.boolean())
  .map(([intervals, isOpen]): readonly Segment[] => {
    const closed = toSegments(intervals);
    const newest = closed.length - 1;
    return closed.map(({ after, to }, i) => ({ after, to, isOpen: isOpen && i === newest }));
  });

const holds = (intervals: readonly Interval[], place: Timetoken): boolean =>
  intervals.some(({ after, to }) => after < place && place <= to);
const isCovered = (segments: readonly Segment[], place: Timetoken, floor?: Timetoken): boolean => {
  const floors = new Map<RoomKey, Timetoken>(floor === undefined ? [] : [[ROOM, floor]]);
  const known = coverRoom(ROOM, undefined, { segments, floors });
  return known?.ranges.some(({ from, to }) => from <= place && place <= to) ?? false;
};

describe('mergeIntervals', () => {
  it('contains exactly the positions of its intervals, whatever their order and repetition', () => {
    const runs = arbitraryIntervals.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(runs, ([intervals, disorder]) => {
        const merged = mergeIntervals(intervals);
        expect(TICKS.map((t) => holds(merged, t))).toEqual(TICKS.map((t) => holds(intervals, t)));
        expect(mergeIntervals(disorder)).toEqual(merged);
        expect(mergeIntervals([...merged, ...disorder])).toEqual(merged);
        for (const [i, { to }] of merged.entries()) {
          expect((merged[i + 1]?.after ?? nextTimetoken(to)) > to).toBe(true);
        }
      }),
    );
  });
});

describe('segments', () => {
  it('keep the first one if there are too many, because the gap after it is not read yet', () => {
    const many = Array.from({ length: 102 }, (_, n) => ({
      after: tick(2 * n),
      to: tick(2 * n + 1),
      isOpen: false,
    }));
    const [end, newest] = [tick(300), { after: tick(300), to: tick(300), isOpen: true }];
    const kept = openSegment(many, end, false);
    expect(kept).toHaveLength(100);
    expect([kept[0], kept.at(-1)]).toEqual([many[0], newest]);
    const [gap] = findGaps(ROOM, undefined, { segments: kept, floors: new Map() });
    expect(gap).toEqual({ after: tick(1), to: tick(8) });
  });

  it('keep exactly the coverage up to the start of the next one, or all of it if that continues', () => {
    fc.assert(
      fc.property(arbitrarySegments, arbitraryTick, fc.boolean(), (before, after, resumes) => {
        const next = openSegment(before, after, resumes);
        expect(next.filter(({ isOpen }) => isOpen)).toEqual([next.at(-1)]);
        const last = closeSegment(before).at(-1);
        const continues = resumes && last !== undefined && last.after <= after && after <= last.to;
        // The last five seconds of a stream that does not continue are not reliable.
        const isLate = (t: Timetoken): boolean =>
          last !== undefined && t > last.after && t <= last.to && t > before5s(last.to);
        expect(TICKS.map((t) => isCovered(next, t))).toEqual(
          TICKS.map((t) => isCovered(before, t) && (continues || (t <= after && !isLate(t)))),
        );
        // The open segment grows.
        const grown = next.map((one) => ({
          after: one.after,
          to: one.isOpen ? tick(41) : one.to,
          isOpen: one.isOpen,
        }));
        const beyond = TICKS.filter((t) => t > after);
        expect(beyond.every((t) => isCovered(grown, t))).toBe(true);
      }),
    );
  });

  it('stay open when a gap before or around their beginning is filled', () => {
    fc.assert(
      fc.property(arbitrarySegments, arbitraryInterval, arbitraryTick, (before, gap, after) => {
        const open = openSegment(before, after, false);
        const joined = joinSegments(open, gap);
        const [one, ...others] = joined.filter(({ isOpen }) => isOpen);
        expect(others).toEqual([]);
        expect(one !== undefined && one.after <= after && after <= one.to).toBe(true);
        const touches = open.some((known) => known.after <= gap.after && gap.after <= known.to);
        expect(TICKS.map((t) => isCovered(joined, t))).toEqual(
          TICKS.map((t) => isCovered(open, t) || (touches && holds([gap], t))),
        );
      }),
    );
  });

  it('continue if the stream resumes inside the last one', () => {
    fc.assert(
      fc.property(arbitraryIntervals, (intervals) => {
        const before = toSegments(intervals);
        const last = before.at(-1);
        if (last === undefined) return;
        expect(openSegment(before, last.to, true)).toEqual([
          ...before.slice(0, -1),
          { ...last, isOpen: true },
        ]);
        expect(closeSegment(openSegment(before, last.to, true))).toEqual(before);
      }),
    );
  });

  it('cover a room starting at its floor only', () => {
    fc.assert(
      fc.property(arbitraryIntervals, arbitraryTick, (intervals, floor) => {
        const segments = toSegments(intervals);
        const expected = TICKS.map((t) => t >= floor && isCovered(segments, t));
        expect(TICKS.map((t) => isCovered(segments, t, floor))).toEqual(expected);
      }),
    );
  });

  it('have gaps exactly where there is no coverage, and none once they are joined', () => {
    fc.assert(
      fc.property(arbitraryIntervals, (intervals) => {
        const segments = toSegments(intervals);
        const gaps = findGaps(ROOM, undefined, { segments, floors: new Map() });
        const [first] = segments;
        const end = segments.at(-1)?.to ?? tick(0);
        const inside = TICKS.filter((t) => first !== undefined && t > first.after && t <= end);
        expect(inside.map((t) => holds(gaps, t))).toEqual(
          inside.map((t) => !isCovered(segments, t)),
        );
        const joined = gaps.reduce(joinSegments, segments);
        expect(findGaps(ROOM, undefined, { segments: joined, floors: new Map() })).toEqual([]);
      }),
    );
  });

  it('have the gaps of a room down to its floor, also where that is in a gap', () => {
    fc.assert(
      fc.property(arbitraryIntervals, arbitraryTick, (intervals, floor) => {
        const segments = toSegments(intervals);
        const floors = new Map([[ROOM, floor]]);
        const gaps = findGaps(ROOM, undefined, { segments, floors });
        const [first] = segments;
        const end = segments.at(-1)?.to ?? tick(0);
        const inside = TICKS.filter((t) => first !== undefined && t > first.after && t <= end);
        expect(inside.map((t) => holds(gaps, t))).toEqual(
          inside.map((t) => t >= floor && !isCovered(segments, t)),
        );
      }),
    );
  });
});
