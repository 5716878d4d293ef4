import { describe, expect, it } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import {
  type Choices,
  findChanged,
  toChoiceMark,
  toChoices,
  TURN_MAX,
  withEarlier,
} from '#domain/schemas/marks.ts';
import {
  FIRST_DASHBOARD_CHOICE,
  parseHoursChoices,
  toHoursChoices,
} from '#domain/schemas/dashboard.ts';
import {
  DEFAULT_NOTIFICATIONS,
  parseSharedChoices,
  toSharedChoices,
} from '#domain/schemas/notification.ts';

const TEAM = toRoomKey('c_001', 'team');

const choicesOf = (values: Readonly<Record<string, string>>): Choices =>
  new Map(Object.entries(values));

describe('the mark of a choice', () => {
  it('begins a turn, unless the choice is stored already', () => {
    expect(toChoiceMark(undefined, '1')).toEqual({ turn: 1, value: '1' });
    expect(toChoiceMark({ turn: 4, value: '1' }, '')).toEqual({ turn: 5, value: '' });
    expect(toChoiceMark({ turn: 4, value: '1' }, '1')).toBeUndefined();
    expect(toChoiceMark(undefined, '')).toBeUndefined();
    expect(toChoiceMark({ turn: TURN_MAX, value: '1' }, '')).toEqual({ turn: TURN_MAX, value: '' });
  });

  it('overrides the choices of an earlier version, whatever the values', () => {
    const earlier = choicesOf({ 'setting:sound': '1', 'muted:c_001': '1', 'setting:order': '' });
    const known = new Map([['setting:sound', { turn: 1, value: '' }]]);
    expect(Object.fromEntries(withEarlier(known, earlier))).toEqual({
      'setting:sound': { turn: 1, value: '' },
      'muted:c_001': { turn: 0, value: '1' },
    });
  });
});

it('only differences are changes; a removed choice becomes empty', () => {
  const before = choicesOf({ 'muted:c_1': '1', 'muted:c_2': '1', 'setting:quiet': '' });
  const after = choicesOf({ 'muted:c_2': '1', 'muted:c_3': '1' });
  expect(Object.fromEntries(findChanged(before, after))).toEqual({
    'muted:c_1': '',
    'muted:c_3': '1',
  });
});

describe('the shared notification choices', () => {
  it.each([
    DEFAULT_NOTIFICATIONS,
    { ...DEFAULT_NOTIFICATIONS, hasSound: true, quiet: { from: 0, to: 1439 } },
    { ...DEFAULT_NOTIFICATIONS, mutedRooms: [TEAM], mutedClients: ['c_001', 'c_2'] },
  ])('are read as they were recorded: %j', (choice) => {
    const { hasSound, mutedRooms, mutedClients, quiet } = choice as typeof choice & {
      quiet?: object;
    };
    const shared = { hasSound, mutedRooms, mutedClients, quiet };
    expect(parseSharedChoices(toSharedChoices(choice))).toEqual(shared);
  });

  it('leave out what is set for this device only', () => {
    const ofDevice = { ...DEFAULT_NOTIFICATIONS, isOn: true, showsText: false };
    expect(
      findChanged(toSharedChoices(DEFAULT_NOTIFICATIONS), toSharedChoices(ofDevice)).size,
    ).toBe(0);
  });

  it.each(['', 'x', '1', '1440.0', '0.1440', '1.2x', '-1.5'])(
    'have no quiet hours if the value is not two minutes of a day: %j',
    (value) => {
      const { quiet } = parseSharedChoices(choicesOf({ 'setting:quiet': value }));
      expect(quiet).toBeUndefined();
    },
  );

  it('are off for values of later versions', () => {
    const choices = choicesOf({ 'setting:sound': 'loud', 'muted:c_001': 'until-monday' });
    expect(parseSharedChoices(choices)).toMatchObject({ hasSound: false, mutedClients: [] });
  });
});

describe('business hours', () => {
  const HOURS = { from: 480, to: 990, weekdays: [6, 0, 3] };

  it('are read as they were recorded, with the days in order', () => {
    const choice = { ...FIRST_DASHBOARD_CHOICE, hours: HOURS, isWithinHours: true };
    const choices = toHoursChoices(choice);
    expect(toChoices(new Map())).toEqual(new Map());
    expect(parseHoursChoices(choices)).toEqual({
      hours: { ...HOURS, weekdays: [0, 3, 6] },
      isWithinHours: true,
    });
  });

  it('are not a choice if they equal the default', () => {
    const shuffled = { ...FIRST_DASHBOARD_CHOICE.hours, weekdays: [5, 4, 3, 2, 1] };
    const choices = toHoursChoices({ ...FIRST_DASHBOARD_CHOICE, hours: shuffled });
    expect([...choices.values()]).toEqual(['', '']);
  });

  it.each(['', 'x', '990.480.1', '480.990.7', '480', '480.990.1x', '1e9.2.1'])(
    'are the default if they are unreadable: %j',
    (value) => {
      const { hours } = parseHoursChoices(choicesOf({ 'setting:hours': value }));
      expect(hours).toEqual(FIRST_DASHBOARD_CHOICE.hours);
    },
  );
});
