import { describe, expect, it } from 'vitest';

import { sortClients } from '#domain/dashboard/clients.ts';
import { toClientsCsv } from '#domain/dashboard/clients-csv.ts';
import { toDurationLabel } from '#domain/dashboard/duration-label.ts';
import type { ClientFigures } from '#domain/dashboard/figures.ts';
import { toWorkingMs } from '#domain/dashboard/working-time.ts';
import { dashboardChoiceSchema, FIRST_DASHBOARD_CHOICE } from '#domain/schemas/dashboard.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a duration', () => {
  it.each([
    [-5, '<1 min'],
    [59_999, '<1 min'],
    [MINUTE, '1 min'],
    [59 * MINUTE, '59 min'],
    [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
    [3 * HOUR, '3 h'],
    [14 * HOUR + 30 * MINUTE, '14 h'],
    [76 * HOUR, '3 d 4 h'],
    [72 * HOUR, '3 d'],
    [12 * 24 * HOUR + HOUR, '12 d'],
  ])('of %d ms is "%s"', (ms, label) => {
    expect(toDurationLabel(ms)).toBe(label);
  });

  it.each([
    [2 * HOUR + 5 * MINUTE, '2 h 5 min'],
    [31 * HOUR + 5 * MINUTE, '31 h'],
    [270 * HOUR, '270 h'],
  ])('of %d ms of working time is "%s"', (ms, label) => {
    expect(toDurationLabel(ms, true)).toBe(label);
  });
});

const toClient = (clientId: string, part: Partial<ClientFigures>): ClientFigures => ({
  clientId,
  received: 0,
  sent: 0,
  answers: 0,
  median: undefined,
  p90: undefined,
  waitingSince: undefined,
  ...part,
});

describe('the clients as CSV', () => {
  const toLine = (name: string, part: Partial<ClientFigures> = {}) =>
    toClientsCsv([toClient('a', part)], new Map([['a', name]])).split('\r\n')[1];

  it('begin with a byte order mark and the names of the columns', () => {
    expect(toClientsCsv([], new Map())).toBe(
      '\uFEFFClient,Received,Sent,First responses,Median first response (min),90th percentile (min),Waiting since\r\n',
    );
  });

  it('contain minutes and times for machines, and nothing for unknown values', () => {
    const part = { received: 3, sent: 2, answers: 1, median: 90_000, waitingSince: 0 };
    expect(toLine('Ana', part)).toBe('Ana,3,2,1,2,,1970-01-01T00:00:00.000Z');
    expect(toLine('Ana')).toBe('Ana,0,0,0,,,');
  });

  it('quote separators, quotation marks and line ends', () => {
    expect(toLine('b,c')).toMatch(/^"b,c",/);
    expect(toLine('say "hi"')).toMatch(/^"say ""hi""",/);
    expect(toLine('two\nlines')).toMatch(/^"two\nlines",/);
    // Excel separates cells by it in many countries: `=1+1` would be a separate cell.
    expect(toLine('Ana;=1+1')).toMatch(/^"Ana;=1\+1",/);
    expect(toLine('Ana\t=1+1')).toMatch(/^"Ana\t=1\+1",/);
  });

  it.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx', '\nx', '＝1+1', '＠sum'])(
    'prevent %j from being a formula',
    (text) => {
      expect(toLine(text)).toContain(`'${text}`);
    },
  );
});

describe('working time', () => {
  const hours = { from: 9 * 60, to: 18 * 60, weekdays: [1, 2, 3, 4, 5] };
  const at = (day: number, hour: number, minute = 0) =>
    new Date(2026, 10, day, hour, minute).getTime();

  it.each([
    ['within a day', at(23, 10), at(23, 11, 30), 1.5],
    ['before the first hour', at(23, 6), at(23, 9, 30), 0.5],
    ['after the last hour', at(23, 17), at(23, 22), 1],
    ['at night', at(23, 19), at(24, 8), 0],
    ['over a night', at(23, 17), at(24, 10), 2],
    ['over a weekend', at(20, 17), at(23, 10), 2],
    ['on a weekend', at(21, 10), at(22, 20), 0],
    ['backwards', at(24, 10), at(23, 10), 0],
  ])('%s', (_, from, to, expected) => {
    expect(toWorkingMs(from, to, hours) / HOUR).toBe(expected);
  });

  it('is all of the time without business hours, and none of it without days', () => {
    expect(toWorkingMs(at(20, 17), at(23, 10), undefined)).toBe(65 * HOUR);
    expect(toWorkingMs(at(20, 17), at(23, 10), { ...hours, weekdays: [] })).toBe(0);
  });

  it('is computed in finite steps for a wait since the epoch', () => {
    expect(toWorkingMs(0, at(23, 10), hours)).toBeGreaterThan(0);
  });
});

describe('the stored choice', () => {
  it('is read again, and refused with hours that end before they begin', () => {
    expect(dashboardChoiceSchema.parse(FIRST_DASHBOARD_CHOICE)).toEqual(FIRST_DASHBOARD_CHOICE);
    const hours = { from: 600, to: 600, weekdays: [1] };
    const weekdays = { from: 1, to: 2, weekdays: [7] };
    for (const part of [{ hours }, { hours: weekdays }, { days: 14 }, { isWithinHours: 1 }]) {
      const choice = { ...FIRST_DASHBOARD_CHOICE, ...part };
      expect(dashboardChoiceSchema.safeParse(choice).success).toBe(false);
    }
  });
});

describe('the order of the clients', () => {
  const clients = [
    toClient('a', { received: 1, median: 5 }),
    toClient('b', { received: 3, waitingSince: 200 }),
    toClient('c', { received: 2, waitingSince: 100 }),
  ];
  const names = new Map([
    ['a', 'zoë'],
    ['b', 'Ana'],
    ['c', 'Zoe 10'],
  ]);
  const sort = (by: 'name' | 'received' | 'median' | 'waiting', isRising: boolean) =>
    sortClients(clients, names, { by, isRising })
      .map(({ clientId }) => clientId)
      .join('');

  it('follows any column, with clients without a value last', () => {
    expect(sort('waiting', false)).toBe('cba');
    expect(sort('waiting', true)).toBe('bca');
    expect(sort('received', false)).toBe('bca');
    expect(sort('median', true)).toBe('abc');
    expect(sort('median', false)).toBe('abc');
    expect(sort('name', true)).toBe('bac');
  });
});
