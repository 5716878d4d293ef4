import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  earlierOf,
  fromEpochMs,
  isTimetoken,
  laterOf,
  nextTimetoken,
  parseTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
  toEpochMs,
} from '#domain/timetoken.ts';
import { WRONG_TIMETOKENS } from '#tests/support/hostile-payloads.ts';

const arbitraryTimetoken = fc
  .bigInt({ min: 0n, max: 99_999_999_999_999_999n })
  .map((ticks) => ticks.toString().padStart(17, '0') as Timetoken);
const arbitraryMs = fc.integer({ min: 0, max: 9_999_999_999_999 });

describe('timetoken', () => {
  it('sorts as text in the order of the numbers, to the last digit', () => {
    fc.assert(
      fc.property(arbitraryTimetoken, arbitraryTimetoken, (a, b) => {
        expect(a < b).toBe(BigInt(a) < BigInt(b));
        expect(BigInt(earlierOf(a, b)) <= BigInt(laterOf(a, b))).toBe(true);
      }),
    );
  });

  it('distinguishes neighbours that are one Number', () => {
    const a = '17000000000000000' as Timetoken;
    const b = nextTimetoken(a);
    expect([Number(a) === Number(b), a < b]).toEqual([true, true]);
  });

  it('survives the conversion to milliseconds and back', () => {
    fc.assert(
      fc.property(arbitraryMs, (ms) => {
        expect(toEpochMs(fromEpochMs(ms))).toBe(ms);
        expect(isTimetoken(fromEpochMs(ms))).toBe(true);
      }),
    );
  });

  it('keeps the order of times, clamped at both ends', () => {
    fc.assert(
      fc.property(arbitraryMs, arbitraryMs, (a, b) => {
        expect(fromEpochMs(a) < fromEpochMs(b)).toBe(a < b);
      }),
    );
    expect(fromEpochMs(-5)).toBe(TIMETOKEN_ZERO);
    expect(fromEpochMs(1e15)).toBe(TIMETOKEN_MAX);
  });

  it('refuses every other type and shape', () => {
    const wrong: unknown[] = [
      ...WRONG_TIMETOKENS,
      Number.NaN,
      17_000_000_000_000_000n,
      { toString: () => '17000000000000000' },
      new Date(0),
      Symbol('17000000000000000'),
      () => '17000000000000000',
    ];
    expect(wrong.map(parseTimetoken)).toEqual(wrong.map(() => undefined));
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const isRight = typeof value === 'string' && /^[0-9]{17}$/.test(value);
        expect(isTimetoken(value)).toBe(isRight);
      }),
    );
  });
});
