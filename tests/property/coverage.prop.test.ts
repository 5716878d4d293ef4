import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type CoverageRange, coverPage, mergeRanges } from '#domain/project/coverage.ts';
import type { Coverage } from '#domain/project/rows.ts';
import { nextTimetoken, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { at, page } from '#tests/support/facts.ts';

const tick = (n: number): Timetoken => (BigInt(at(0)) + BigInt(n)).toString() as Timetoken;
const TICKS = Array.from({ length: 42 }, (_, n) => tick(n));
const arbitraryTick = fc.integer({ min: 0, max: 40 }).map(tick);
const arbitraryRange = fc.record({ from: arbitraryTick, to: arbitraryTick });
const arbitraryRanges = fc.array(arbitraryRange, { maxLength: 12 });
const arbitraryPages = fc.array(
  fc
    .tuple(arbitraryTick, arbitraryTick, fc.boolean())
    .map(([from, to, reachedStart]) => page(from, to, reachedStart)),
  { maxLength: 10 },
);

const holds = (ranges: readonly CoverageRange[], moment: Timetoken): boolean =>
  ranges.some(({ from, to }) => from <= moment && moment <= to);

const cover = (pages: ReturnType<typeof page>[]): Coverage | undefined =>
  pages.reduce<Coverage | undefined>((known, next) => coverPage(known, next), undefined);

describe('mergeRanges', () => {
  it('contains exactly the moments of its ranges', () => {
    fc.assert(
      fc.property(arbitraryRanges, (ranges) => {
        const merged = mergeRanges(ranges);
        expect(TICKS.map((t) => holds(merged, t))).toEqual(TICKS.map((t) => holds(ranges, t)));
      }),
    );
  });

  it('leaves a gap between any two ranges, in rising order', () => {
    fc.assert(
      fc.property(arbitraryRanges, (ranges) => {
        const merged = mergeRanges(ranges);
        for (const [i, range] of merged.entries()) {
          const next = merged[i + 1];
          expect(range.from <= range.to).toBe(true);
          expect(!next || nextTimetoken(range.to) < next.from).toBe(true);
        }
      }),
    );
  });

  it('is the same for any order, any grouping and any repetition', () => {
    fc.assert(
      fc.property(arbitraryRanges, arbitraryRanges, (some, others) => {
        const all = mergeRanges([...some, ...others]);
        expect(mergeRanges([...others, ...some])).toEqual(all);
        expect(mergeRanges([...mergeRanges(some), ...mergeRanges(others)])).toEqual(all);
        expect(mergeRanges([...all, ...all])).toEqual(all);
      }),
    );
  });
});

describe('coverPage', () => {
  it('does not depend on the order of pages', () => {
    const runs = arbitraryPages.chain((pages) =>
      fc.tuple(fc.constant(pages), fc.shuffledSubarray(pages, { minLength: pages.length })),
    );
    fc.assert(
      fc.property(runs, ([pages, disorder]) => {
        expect(cover(disorder)).toEqual(cover(pages));
      }),
    );
  });

  it('has reached the start exactly when its oldest range begins there', () => {
    fc.assert(
      fc.property(arbitraryPages, (pages) => {
        const coverage = cover(pages);
        const reached = pages.some(({ reachedStart }) => reachedStart);
        expect(coverage?.reachedStart ?? false).toBe(reached);
        expect(coverage?.ranges[0]?.from === TIMETOKEN_ZERO).toBe(reached);
      }),
    );
  });
});
