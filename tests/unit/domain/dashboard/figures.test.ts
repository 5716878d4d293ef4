import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findLongestWait } from '#domain/dashboard/clients.ts';
import { type FiguresQuery, toDashboardFigures } from '#domain/dashboard/figures.ts';
import { toMidnight } from '#domain/rules/grouping.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import {
  fromEpochMs,
  nextTimetoken,
  previousTimetoken,
  type Timetoken,
  toEpochMs,
} from '#domain/timetoken.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A Monday, in local time. */
const NOW = new Date(2026, 10, 23, 15, 30).getTime();
const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');
const OTHER = toRoomKey('c_002', 'team');
const WEEK = { days: 7, now: NOW } as const;

interface Message {
  readonly room: RoomKey;
  readonly timetoken: Timetoken;
  readonly isByStaff: boolean;
}

const client = (at: number, room = TEAM): Message => ({
  room,
  timetoken: fromEpochMs(at),
  isByStaff: false,
});
const staff = (at: number, room = TEAM): Message => ({
  ...client(at, room),
  isByStaff: true,
});
const count = (messages: readonly Message[], query: FiguresQuery) => {
  const rooms = Map.groupBy(messages, ({ room }) => room);
  return toDashboardFigures(rooms, ({ isByStaff }) => isByStaff, query);
};
const atHour = (daysAgo: number, hour: number): number => toMidnight(NOW, -daysAgo) + hour * HOUR;

describe('the figures of the dashboard', () => {
  it('count received and sent messages on each day of the period, including today', () => {
    const { total, days } = count(
      [client(atHour(6, 0)), staff(atHour(6, 1)), client(atHour(0, 9)), client(NOW)],
      WEEK,
    );
    expect(total).toMatchObject({ received: 3, sent: 1, activeClients: 1 });
    expect(days.map(({ received, sent }) => `${received} ${sent}`)).toEqual([
      '1 1',
      '0 0',
      '0 0',
      '0 0',
      '0 0',
      '0 0',
      '2 0',
    ]);
    expect(days[0]?.start).toBe(toMidnight(NOW, -6));
  });

  it('leave out older messages, and messages that a wrong clock dates in the future', () => {
    const { total } = count(
      [client(atHour(7, 23)), client(toMidnight(NOW, 1)), client(NOW + 40 * 24 * HOUR)],
      WEEK,
    );
    expect(total.received).toBe(0);
  });

  it('count messages that the engine dates later than a slow clock of this device', () => {
    const { total, days } = count([client(NOW + 5 * MINUTE)], WEEK);
    expect(total.received).toBe(1);
    expect(days.at(-1)?.received).toBe(1);
  });

  it('compare with the same days and hours of the previous period', () => {
    const { before } = count(
      [
        client(atHour(14, 23)),
        client(atHour(13, 0)),
        // The previous period ends a week ago at half past three.
        client(atHour(7, 15)),
        client(atHour(7, 16)),
      ],
      WEEK,
    );
    expect(before.received).toBe(2);
  });

  it('measure a wait from the first message of the client to the next one by staff', () => {
    const nine = atHour(1, 9);
    const { total } = count(
      [client(nine), client(nine + 5 * MINUTE), staff(nine + 10 * MINUTE), staff(nine + HOUR)],
      WEEK,
    );
    expect(total).toMatchObject({ answers: 1, median: 10 * MINUTE, p90: 10 * MINUTE });
  });

  it('measure waits room by room', () => {
    const nine = atHour(1, 9);
    const { total, clients } = count(
      [client(nine), client(nine + MINUTE, GENERAL), staff(nine + 2 * MINUTE, GENERAL)],
      WEEK,
    );
    expect(total).toMatchObject({ answers: 1, median: MINUTE });
    const wait = { waitingSince: nine, waitingRoom: TEAM };
    expect(clients).toMatchObject([{ clientId: 'c_001', ...wait }]);
    expect(findLongestWait(clients)).toMatchObject(wait);
  });

  it('exclude rooms that need no reply from the waiting ones, and measure as before', () => {
    const nine = atHour(1, 9);
    const messages = [
      client(nine),
      staff(nine + MINUTE),
      client(nine + 4 * HOUR),
      client(nine + 5 * HOUR),
    ];
    const countWith = (done: number) => {
      const query = { ...WEEK, done: new Map([[TEAM, fromEpochMs(done)]]) };
      const { total, clients } = count(messages, query);
      return [total.answers, total.median, clients[0]?.waitingSince];
    };
    expect(countWith(0)).toEqual([1, MINUTE, nine + 4 * HOUR]);
    expect(countWith(nine + 4 * HOUR)).toEqual([1, MINUTE, nine + 5 * HOUR]);
    expect(countWith(nine + 5 * HOUR)).toEqual([1, MINUTE, undefined]);
  });

  it('compare such rooms by the position, not by the millisecond', () => {
    const nine = atHour(1, 9);
    const message = { ...client(nine), timetoken: nextTimetoken(nextTimetoken(fromEpochMs(nine))) };
    const countWith = (done: Timetoken) => {
      const { clients } = count([message], { ...WEEK, done: new Map([[TEAM, done]]) });
      return clients[0]?.waitingSince;
    };
    expect(countWith(message.timetoken)).toBeUndefined();
    // Undo of Done: the room waits again since this message.
    expect(countWith(previousTimetoken(message.timetoken))).toBe(nine);
  });

  it('count a wait in the period in which it began', () => {
    const { total, before } = count([client(atHour(8, 20)), staff(atHour(6, 9))], WEEK);
    expect(total).toMatchObject({ sent: 1, answers: 0, median: undefined });
    expect(before).toMatchObject({ received: 1, answers: 1, median: 37 * HOUR });
  });

  it('take the median and the 90th percentile by rank', () => {
    const messages = Array.from({ length: 10 }, (_, n) => {
      const at = atHour(2, 1) + n * HOUR;
      return [client(at), staff(at + (n + 1) * MINUTE)];
    }).flat();
    const { total } = count(messages, WEEK);
    expect([total.median, total.p90]).toEqual([5 * MINUTE, 9 * MINUTE]);
  });

  it('measure waits within business hours only, on request', () => {
    const hours = { from: 9 * 60, to: 18 * 60, weekdays: [1, 2, 3, 4, 5] };
    // Friday at 17:00 to Monday at 10:00.
    const messages = [client(atHour(3, 17)), staff(atHour(0, 10))];
    expect(count(messages, { ...WEEK, hours }).total.median).toBe(2 * HOUR);
    expect(count(messages, WEEK).total.median).toBe(65 * HOUR);
  });

  it('show when clients write, Monday first', () => {
    const { hours } = count(
      [client(atHour(0, 9)), client(atHour(1, 23)), staff(atHour(1, 23) + MINUTE)],
      WEEK,
    );
    expect(
      hours.map((row) => row.flatMap((written, hour) => (written ? [[hour, written]] : []))),
    ).toEqual([[[9, 1]], [], [], [], [], [], [[23, 1]]]);
  });

  it('name the client who waits longest, even if the wait began before the period', () => {
    const { clients } = count(
      [client(atHour(30, 9), OTHER), client(atHour(0, 9)), staff(atHour(0, 10), GENERAL)],
      WEEK,
    );
    const longest = { clientId: 'c_002', waitingSince: atHour(30, 9) };
    expect(findLongestWait(clients)).toMatchObject(longest);
    expect(findLongestWait([])).toBeUndefined();
  });

  it('agree with a recount, whatever the messages', () => {
    const message = fc
      .record({
        room: fc.constantFrom(TEAM, GENERAL, OTHER),
        at: fc.integer({ min: toMidnight(NOW, -20), max: NOW }),
        isByStaff: fc.boolean(),
      })
      .map(({ room, at, isByStaff }) => (isByStaff ? staff(at, room) : client(at, room)));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), (list) => {
        const messages = list.toSorted((a, b) => toEpochMs(a.timetoken) - toEpochMs(b.timetoken));
        const { total, days, hours, clients } = count(messages, WEEK);
        const within = messages.filter(
          ({ timetoken }) => toEpochMs(timetoken) >= toMidnight(NOW, -6),
        );
        const received = within.filter(({ isByStaff }) => !isByStaff).length;
        const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
        expect(total.received).toBe(received);
        expect(total.sent).toBe(within.length - received);
        expect(sum(days.map((day) => day.received))).toBe(received);
        expect(sum(hours.flat())).toBe(received);
        for (const key of ['received', 'sent', 'answers'] as const) {
          expect(sum(clients.map((each) => each[key]))).toBe(total[key]);
        }
        const waiting = [TEAM, GENERAL, OTHER].filter(
          (room) => messages.findLast((each) => each.room === room)?.isByStaff === false,
        );
        expect(clients.filter(({ waitingSince }) => waitingSince !== undefined)).toHaveLength(
          new Set(waiting.map((room) => room.split('/')[0])).size,
        );
      }),
    );
  });
});
