import { describe, expect, it, test } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import {
  findChangedRooms,
  isMuted,
  isQuietAt,
  type UnreadSummary,
  parseTime,
  toNotification,
  toReminderNotification,
  toTimeText,
} from '#domain/rules/notification.ts';
import { DEFAULT_NOTIFICATIONS } from '#domain/schemas/notification.ts';
import { fromEpochMs } from '#domain/timetoken.ts';

const ROOM = toRoomKey('c_1', 'general');
const OTHER = toRoomKey('c_1', 'team');
const AT = fromEpochMs(1_000_000);
const LATER = fromEpochMs(2_000_000);

const at = (time: string): Date => new Date(`2026-03-01T${time}:00`);
const quiet = (from: string, to: string) => ({
  ...DEFAULT_NOTIFICATIONS,
  quiet: { from: parseTime(from) ?? NaN, to: parseTime(to) ?? NaN },
});

describe('quiet hours', () => {
  test.each([
    ['09:00', '17:00', '08:59', false],
    ['09:00', '17:00', '09:00', true],
    ['09:00', '17:00', '16:59', true],
    ['09:00', '17:00', '17:00', false],
    ['22:00', '07:00', '23:30', true],
    ['22:00', '07:00', '00:00', true],
    ['22:00', '07:00', '06:59', true],
    ['22:00', '07:00', '07:00', false],
    ['22:00', '07:00', '12:00', false],
    ['08:00', '08:00', '08:00', false],
  ])('from %s to %s, at %s: %s', (from, to, time, isQuiet) => {
    expect(isQuietAt(quiet(from, to), at(time))).toBe(isQuiet);
  });

  it('are none unless chosen', () => {
    expect(isQuietAt(DEFAULT_NOTIFICATIONS, at('03:00'))).toBe(false);
  });
});

test.each([
  ['00:00', 0],
  ['07:30', 450],
  ['23:59', 1439],
])('%s is minute %d of a day', (text, minute) => {
  expect(parseTime(text)).toBe(minute);
  expect(toTimeText(minute)).toBe(text);
});

test.each(['', '24:00', '12:60', '7:30', 'noon', '-1:00'])('"%s" is not a valid time', (text) => {
  expect(parseTime(text)).toBeUndefined();
});

test('a muted client mutes all of its rooms, a muted room only itself', () => {
  const mutedClient = { ...DEFAULT_NOTIFICATIONS, mutedClients: ['c_1'] };
  const mutedRoom = { ...DEFAULT_NOTIFICATIONS, mutedRooms: [ROOM] };
  expect(
    [ROOM, OTHER, toRoomKey('c_11', 'general')].map((room) => isMuted(mutedClient, room)),
  ).toEqual([true, true, false]);
  expect([ROOM, OTHER].map((room) => isMuted(mutedRoom, room))).toEqual([true, false]);
});

test('rooms with new unread messages have changed, rooms that were read have not', () => {
  const before = new Map([
    [ROOM, { count: 1, first: AT, newest: AT }],
    [OTHER, { count: 2, first: AT, newest: LATER }],
  ]);
  expect(findChangedRooms(before, before)).toEqual([]);
  expect(findChangedRooms(before, new Map())).toEqual([]);
  const second = new Map([[ROOM, { count: 2, first: AT, newest: LATER }]]);
  expect(findChangedRooms(before, second)).toEqual([ROOM]);
  expect(findChangedRooms(new Map(), before)).toEqual([ROOM, OTHER]);
  // Half of the messages were read on another device, or an older one was found.
  const half = new Map([[OTHER, { count: 1, first: LATER, newest: LATER }]]);
  expect(findChangedRooms(before, half)).toEqual([]);
  const found = new Map([[OTHER, { count: 3, first: AT, newest: LATER }]]);
  expect(findChangedRooms(before, found)).toEqual([]);
  // The first was read, and another one arrived.
  const next = new Map([[ROOM, { count: 1, first: LATER, newest: LATER }]]);
  expect(findChangedRooms(before, next)).toEqual([ROOM]);
  const marked = { count: 1, first: AT, newest: AT, markId: 'one' };
  expect(findChangedRooms(new Map(), new Map([[ROOM, marked]]))).toEqual([]);
  const more = new Map([[ROOM, { ...marked, newest: LATER }]]);
  expect(findChangedRooms(new Map([[ROOM, marked]]), more)).toEqual([ROOM]);
});

describe('a notification', () => {
  const summary: UnreadSummary = {
    room: ROOM,
    clientName: "Aoife O'Sullivan",
    count: 1,
    at: AT,
    sender: 'Jonas',
    text: 'Two\nlines  here',
  };
  const shown = { ...DEFAULT_NOTIFICATIONS, isOn: true };

  it('names the room and the sender, in one line', () => {
    expect(toNotification(summary, shown)).toEqual({
      type: 'SHOW_NOTIFICATION',
      subject: 'messages',
      room: ROOM,
      at: AT,
      path: '/chat/c_1/general',
      silent: true,
      title: "Aoife O'Sullivan · General",
      body: 'Jonas: Two lines here',
    });
  });

  it('counts several messages, up to the limit of all counts', () => {
    expect(toNotification({ ...summary, count: 3 }, shown).body).toMatch(
      /^3 new messages\. Jonas: /,
    );
    expect(toNotification({ ...summary, count: 100 }, shown).body).toMatch(/^99\+ new messages\./);
  });

  it('cuts a long text between characters', () => {
    const { body } = toNotification({ ...summary, text: '👀'.repeat(5000) }, shown);
    expect(Array.from(body)).toHaveLength(241);
    expect(body.endsWith('👀…')).toBe(true);
  });

  it('contains no names and no texts if these are hidden', () => {
    const hidden = toNotification({ ...summary, count: 2 }, { ...shown, showsText: false });
    expect(hidden).toMatchObject({ title: 'Replay Desk', body: '2 new messages' });
    expect(JSON.stringify(hidden)).not.toMatch(/Aoife|Jonas|lines/);
  });

  it('of a reminder names the room, unless names are hidden', () => {
    const reminder = { ...summary, path: '/chat/c_1/general?m=1' };
    expect(toReminderNotification(reminder, shown)).toMatchObject({
      subject: 'reminder',
      path: '/chat/c_1/general?m=1',
      title: "Aoife O'Sullivan · General",
      body: 'A reminder is due.',
    });
    const hidden = toReminderNotification(reminder, { ...shown, showsText: false });
    expect(JSON.stringify(hidden)).not.toMatch(/Aoife/);
  });

  it('makes a sound if that is chosen', () => {
    expect(toNotification(summary, { ...shown, hasSound: true }).silent).toBe(false);
  });
});
