import { describe, expect, it } from 'vitest';

import {
  toDateLabel,
  toDayLabel,
  toIso,
  toMomentLabel,
  toSinceLabel,
  toTimeLabel,
} from '#domain/text/date-label.ts';
import { toShortLabel } from '#domain/text/short-label.ts';

/** A Wednesday in local time. */
const NOW = new Date(2025, 5, 18, 12, 0).getTime();
const label = (day: number, hours = 12, minutes = 0) =>
  toDateLabel(new Date(2025, 5, day, hours, minutes).getTime(), NOW);

describe('toDateLabel', () => {
  it('shows the time of today', () => {
    expect(label(18, 15, 7)).toBe('Today at 3:07 PM');
    expect(label(18, 0, 0)).toBe('Today at 12:00 AM');
    expect(label(18, 23, 59)).toBe('Today at 11:59 PM');
  });

  it('names yesterday and tomorrow by the calendar, not by hours', () => {
    expect(label(17, 23, 59)).toBe('Yesterday');
    expect(label(17, 0, 0)).toBe('Yesterday');
    expect(label(19, 0, 0)).toBe('Tomorrow');
  });

  it('counts a message that arrived after the last tick of the clock as one of today', () => {
    const lastTick = new Date(2025, 5, 18, 23, 59, 1).getTime();
    const arrived = new Date(2025, 5, 19, 0, 0, 1).getTime();
    expect(toDateLabel(arrived, lastTick)).toBe('Today at 12:00 AM');
    expect(toShortLabel(arrived, lastTick)).toBe('12:00 AM');
    expect(toDateLabel(arrived + 60_000, lastTick)).toBe('Tomorrow');
    expect(toDateLabel(lastTick, arrived)).toBe('Yesterday');
  });

  it('names the weekday within six days', { tags: ['S9.6'] }, () => {
    expect([16, 15, 14, 13, 12].map((day) => label(day))).toEqual([
      'Last Monday',
      'Last Sunday',
      'Last Saturday',
      'Last Friday',
      'Last Thursday',
    ]);
    expect([20, 21, 22, 23, 24].map((day) => label(day))).toEqual([
      'Friday',
      'Saturday',
      'Sunday',
      'Monday',
      'Tuesday',
    ]);
  });

  it('shows the date of other days', () => {
    expect(label(11)).toBe('11/06/2025');
    expect(label(25)).toBe('25/06/2025');
    expect(toDateLabel(new Date(2024, 11, 31).getTime(), NOW)).toBe('31/12/2024');
    expect(toDateLabel(0, NOW)).toMatch(/^\d\d\/\d\d\/(1970|1969)$/);
  });

  it('has no label for an invalid time', () => {
    expect(toDateLabel(Number.NaN, NOW)).toBe('');
    expect(toDateLabel(Number.POSITIVE_INFINITY, NOW)).toBe('');
    expect(toDateLabel(NOW, Number.NaN)).toBe('');
    expect(toTimeLabel(8.64e15 + 1)).toBe('');
  });
});

describe('toTimeLabel', () => {
  it('shows the time of day on a twelve-hour clock', () => {
    expect(toTimeLabel(new Date(2025, 0, 1, 0, 5).getTime())).toBe('12:05 AM');
    expect(toTimeLabel(new Date(2025, 0, 1, 13, 0).getTime())).toBe('1:00 PM');
  });
});

describe('toMomentLabel', () => {
  it('names the day and the time of day, today as in other labels', () => {
    const moment = (day: number) => toMomentLabel(new Date(2025, 5, day, 15, 7).getTime(), NOW);
    expect([18, 17, 13, 11].map(moment)).toEqual([
      'Today at 3:07 PM',
      'Yesterday, 3:07 PM',
      'Last Friday, 3:07 PM',
      '11/06/2025, 3:07 PM',
    ]);
    expect(toMomentLabel(Number.NaN, NOW)).toBe('');
  });
});

describe('toDayLabel', () => {
  const day = (year: number, month: number, date: number, hours = 12) =>
    toDayLabel(new Date(year, month, date, hours).getTime(), NOW);

  it('names today and yesterday by the calendar', () => {
    expect([day(2025, 5, 18, 0), day(2025, 5, 18, 23)]).toEqual(['Today', 'Today']);
    expect([day(2025, 5, 17, 0), day(2025, 5, 17, 23)]).toEqual(['Yesterday', 'Yesterday']);
  });

  it('contains the year only if it is not the current one', () => {
    expect(day(2025, 5, 13)).toBe('Friday 13 June');
    expect(day(2025, 0, 1, 0)).toBe('Wednesday 1 January');
    expect(day(2024, 11, 31, 23)).toBe('Tuesday 31 December 2024');
    expect(day(2025, 5, 19)).toBe('Thursday 19 June');
  });

  it('has no label for an invalid day', () => {
    expect([toDayLabel(Number.NaN, NOW), toSinceLabel(NOW, Infinity), toIso(8.65e15)]).toEqual([
      '',
      '',
      '',
    ]);
  });
});

describe('toSinceLabel', () => {
  it('returns a readable start time', () => {
    const since = (year: number, month: number, date: number) =>
      toSinceLabel(new Date(year, month, date, 9, 14).getTime(), NOW);
    expect(since(2025, 5, 18)).toBe('9:14 AM');
    expect(since(2025, 5, 17)).toBe('yesterday');
    expect(since(2025, 5, 12)).toBe('Thursday');
    expect(since(2025, 5, 11)).toBe('11 June');
    expect(since(2024, 5, 18)).toBe('18 June 2024');
  });
});
