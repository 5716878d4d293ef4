import { describe, expect, it } from 'vitest';

import { listRemindTimes, parseRemindTime, toRemindLabel } from '#domain/text/remind-times.ts';

const time = (text: string): number => new Date(text).getTime();
const offer = (now: string) =>
  listRemindTimes(time(now)).map(({ label, at }) => `${label}: ${toRemindLabel(at, time(now))}`);

describe('times for a reminder', () => {
  it('are offered in local time, the earliest first', () => {
    expect(offer('2026-11-24T15:20')).toEqual([
      'In 1 hour: Today, 4:20 PM',
      'In 3 hours: Today, 6:20 PM',
      'Tomorrow morning: Wed 25 Nov, 9:00 AM',
      'Monday morning: Mon 30 Nov, 9:00 AM',
    ]);
  });

  it.each([
    ['2026-11-23T08:00', ['Tue 24 Nov', 'Mon 30 Nov']],
    ['2026-11-29T23:59', ['Mon 30 Nov']],
    ['2026-12-31T10:00', ['Fri 1 Jan 2027', 'Mon 4 Jan 2027']],
  ])('include one morning only if the next one is a Monday: %s', (now, days) => {
    expect(offer(now).slice(2)).toEqual(
      days.map((day, index) => {
        const label = index === days.length - 1 ? 'Monday' : 'Tomorrow';
        return `${label} morning: ${day}, 9:00 AM`;
      }),
    );
  });

  it.each([
    ['2026-11-24T15:21', '2026-11-24T15:21'],
    ['2026-11-24T15:20', undefined],
    ['2036-11-25T00:00', undefined],
    ['', undefined],
    ['soon', undefined],
  ])('%j as a choice is read as %j', (text, expected) => {
    const at = parseRemindTime(text, time('2026-11-24T15:20'));
    expect(at).toBe(expected && time(expected));
  });
});
