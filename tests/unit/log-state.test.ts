import { describe, expect, it } from 'vitest';

import {
  addEntries,
  isEnough,
  type LogState,
  type MarkSet,
  NOTHING_KNOWN,
  parseLogState,
  SNAPSHOT_EVERY,
  toPayloads,
  toStoredState,
} from '#domain/project/log-state.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import type { MarkEntry } from '#domain/schemas/mark-log.ts';
import { MARKS_MAX, PARTS_MAX, parseMarkEntry } from '#domain/schemas/mark-payload.ts';
import { type Mark, TURN_MAX } from '#domain/schemas/marks.ts';
import { at } from '#tests/support/facts.ts';

const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');

const entry = (place: number, payload: unknown): MarkEntry => ({ timetoken: at(place), payload });
const marks = (place: number, of: Readonly<Record<string, unknown>>, more: object = {}) =>
  entry(place, { v: 2, marks: of, ...more });
const knownOf = (entries: readonly MarkEntry[]): LogState =>
  addEntries('own', NOTHING_KNOWN, entries);
const readAt = (place: number): Mark => ({ turn: 0, value: at(place) });
const here = (rooms: readonly (readonly [RoomKey, number])[], began?: number): MarkSet => ({
  marks: new Map(rooms.map(([room, place]) => [`read:${room}`, readAt(place)])),
  began: began === undefined ? undefined : at(began),
});
const READ_TEAM = `read:${TEAM}`;
const READ_GENERAL = `read:${GENERAL}`;

describe('an entry of a mark log', () => {
  it.each([
    undefined,
    null,
    'text',
    [],
    { v: 3, marks: {} },
    { v: 2 },
    { v: 2, marks: [] },
    { v: 1, marks: {} },
    { marks: {} },
  ])('adds nothing if it has another shape or version: %j', (payload) => {
    expect(parseMarkEntry('own', entry(5, payload))?.marks ?? new Map()).toEqual(new Map());
    expect(knownOf([entry(5, payload)])).toMatchObject({ marks: new Map(), upTo: at(5) });
  });

  it('keeps valid marks of rooms, and no positions after its own', () => {
    const hostile = {
      [READ_TEAM]: [0, at(4)],
      [READ_GENERAL]: [0, at(6)],
      'read:c_001/other': [0, at(1)],
      'read:../x': [0, at(1)],
      'read:c_002/team': 17,
      'read:c_003/team': [-1, at(1)],
      'read:c_004/team': [TURN_MAX + 1, at(1)],
      'read:c_005/team': [0, 'x'],
      'reminder:c_006/team': [0, 'soon'],
      [`starred:${TEAM}`]: [0, 'x'.repeat(65)],
      [`liked:${TEAM}`]: [0, 'ünsafe'],
      [`quoted:${TEAM}`]: [0, '"'],
      'c_007/team': [0, at(1)],
      ['__proto__']: [0, at(1)],
    };
    const parsed = parseMarkEntry(
      'own',
      marks(5, hostile, { began: at(9), snapshot: { id: '', part: -1 } }),
    );
    expect(parsed).toEqual({ marks: new Map([[READ_TEAM, readAt(4)]]) });
  });

  it('accepts only marks of its log, and marks of kinds that a later version may record', () => {
    const both = {
      [READ_TEAM]: [0, at(4)],
      [`done:${TEAM}`]: [0, at(4)],
      [`starred:${TEAM}`]: [3, 'yes'],
    };
    const keysOf = (log: 'own' | 'staff') => [
      ...(parseMarkEntry(log, marks(5, both))?.marks.keys() ?? []),
    ];
    expect(keysOf('own')).toEqual([READ_TEAM, `starred:${TEAM}`]);
    expect(keysOf('staff')).toEqual([`done:${TEAM}`, `starred:${TEAM}`]);
  });

  it('accepts only valid marks for rooms, clients and settings', () => {
    const mixed = {
      [`muted:${TEAM}`]: [1, '1'],
      'muted:c_002': [1, ''],
      'muted:c 2': [1, '1'],
      'muted:c_003/other': [1, '1'],
      'pinned:c_002': [1, '1'],
      'pinned:c_003': [2, ''],
      'pinned:c_004/other': [1, '1'],
      'pinned:c 5': [1, '1'],
      'pinned:': [1, '1'],
      'pinned:c_006': [-1, '1'],
      'pinned:c_007': [1, true],
      'setting:quiet': [2, '1320.420'],
      'setting:of-a-later-version': [2, 'any'],
      'setting:': [1, '1'],
      'setting:sound': [1, { on: true }],
      'starred:c_002': [1, 'yes'],
      'read:c_002': [0, at(1)],
    };
    expect([...(parseMarkEntry('own', marks(5, mixed))?.marks.keys() ?? [])]).toEqual([
      `muted:${TEAM}`,
      'muted:c_002',
      'pinned:c_002',
      'pinned:c_003',
      'setting:quiet',
      'setting:of-a-later-version',
      'starred:c_002',
    ]);
    expect([...(parseMarkEntry('staff', marks(5, mixed))?.marks.keys() ?? [])]).toEqual([
      'starred:c_002',
    ]);
  });

  it('holds read positions in the first version, whose snapshots are incomplete', () => {
    const snapshot = { id: 's', part: 0, of: 1 };
    const first = entry(5, { v: 1, reads: { [TEAM]: at(4) }, began: at(2), snapshot });
    expect(parseMarkEntry('own', first)).toEqual({
      marks: new Map([[READ_TEAM, readAt(4)]]),
      began: at(2),
    });
    expect(isEnough('own', [first])).toBe(false);
  });
});

describe('the state that results from entries', () => {
  const ENTRIES = [
    marks(10, { [READ_TEAM]: [0, at(3)] }, { began: at(2) }),
    marks(20, { [READ_TEAM]: [0, at(8)], [READ_GENERAL]: [0, at(5)] }),
    marks(30, { [READ_TEAM]: [0, at(6)], [READ_GENERAL]: [1, at(4)] }, { began: at(4) }),
  ];

  it('is the same in any order and when repeated; an undo begins a turn', () => {
    const once = knownOf(ENTRIES);
    expect(once.marks).toEqual(
      new Map([
        [READ_TEAM, readAt(8)],
        [READ_GENERAL, { turn: 1, value: at(4) }],
      ]),
    );
    expect(once.began).toBe(at(2));
    expect(knownOf(ENTRIES.toReversed()).marks).toEqual(once.marks);
    expect(addEntries('own', once, ENTRIES)).toMatchObject({
      marks: once.marks,
      began: once.began,
    });
  });

  it('is complete with all parts of a snapshot and the entries that its maker had not read', () => {
    const part = (index: number, of: number, upTo: unknown = at(1)) =>
      marks(index + 2, {}, { snapshot: { id: 's', part: index, of, upTo } });
    const known = marks(1, {});
    expect(isEnough('own', [known, part(0, 2)])).toBe(false);
    expect(isEnough('own', [known, part(1, 2), part(1, 2)])).toBe(false);
    expect(isEnough('own', [known, part(0, 2), marks(9, {}), part(1, 2)])).toBe(true);
    expect(isEnough('own', [part(0, 2), marks(9, {}), part(1, 2)])).toBe(false);
    expect(knownOf([part(0, 1), marks(9, {}), marks(10, {})]).sinceSnapshot).toBe(2);
  });

  it.each([undefined, 'x', at(2), at(9)])(
    'does not count a snapshot without a position before itself (%s)',
    (upTo) => {
      const entries = [marks(1, {}), marks(2, {}, { snapshot: { id: 's', part: 0, of: 1, upTo } })];
      expect(isEnough('own', entries)).toBe(false);
      expect(knownOf(entries).sinceSnapshot).toBe(2);
    },
  );

  it('is the same after it was stored; other values are not accepted', () => {
    const known = knownOf(ENTRIES);
    expect(parseLogState(structuredClone(toStoredState(known)))).toEqual(known);
    for (const stored of [null, 'text', {}, { marks: [['x']], sinceSnapshot: 0 }]) {
      expect(parseLogState(stored)).toBeUndefined();
    }
  });
});

describe('the entries that a device publishes', () => {
  it('contain the marks that the log lacks; there are none if it is up to date', () => {
    const known = knownOf([marks(10, { [READ_TEAM]: [0, at(3)] }, { began: at(1) })]);
    expect(toPayloads(known, here([[TEAM, 3]], 5), 's')).toEqual([]);
    const more = here(
      [
        [TEAM, 7],
        [GENERAL, 2],
      ],
      5,
    );
    expect(toPayloads(known, more, 's')).toEqual([
      { v: 2, marks: { [READ_TEAM]: [0, at(7)], [READ_GENERAL]: [0, at(2)] } },
    ]);
  });

  it('state only once where reading began', () => {
    expect(toPayloads(NOTHING_KNOWN, here([], 5), 's')).toEqual([
      { v: 2, marks: {}, began: at(5) },
    ]);
    const known = knownOf([marks(9, {}, { began: at(2) })]);
    expect(toPayloads(known, here([], 5), 's')).toEqual([]);
    // Another device began later, and published that first.
    expect(toPayloads(known, here([], 1), 's')).toEqual([{ v: 2, marks: {}, began: at(1) }]);
  });

  it('are periodically a full snapshot, in parts, that makes older entries obsolete', () => {
    // The longest possible keys and values.
    const rooms = Array.from({ length: MARKS_MAX + 1 }, (_, n) =>
      toRoomKey(String(n).padStart(64, 'x'), 'producers'),
    );
    const kind = 'ofalaterversions';
    const value = 'v'.repeat(64);
    const old = rooms.map((room) => marks(10, { [`${kind}:${room}`]: [TURN_MAX, value] }));
    const known = knownOf([...old, marks(11, { [`starred:${TEAM}`]: [0, ''] }, { began: at(1) })]);
    expect(known.sinceSnapshot).toBeGreaterThan(SNAPSHOT_EVERY);
    const payloads = toPayloads(known, here([[TEAM, 9]]), 's');
    expect(payloads.map(({ snapshot }) => snapshot)).toEqual([
      { id: 's', part: 0, of: 2, upTo: at(11) },
      { id: 's', part: 1, of: 2, upTo: at(11) },
    ]);
    const entries = payloads.map((payload, index) => entry(20 + index, payload));
    expect(isEnough('own', [entry(11, {}), ...entries])).toBe(true);
    const anew = knownOf(entries);
    expect(anew).toMatchObject({ began: at(1), sinceSnapshot: 0 });
    expect(anew.marks.size).toBe(MARKS_MAX + 3);
    expect(JSON.stringify(payloads[0]).length).toBeLessThan(32_768);
  });

  it('are a snapshot only after as many entries as it has parts, up to those a device reads', () => {
    const publish = (size: number, sinceSnapshot: number) => {
      const read = Array.from({ length: size }, (_, n) => [`read:c_${n}/team`, readAt(1)] as const);
      const known = { upTo: undefined, marks: new Map(read), began: at(1), sinceSnapshot };
      return toPayloads(known, here([[TEAM, 9]]), 's');
    };
    expect(publish(45_000, 250)).toHaveLength(1);
    // Other devices get them in pieces: they must not answer with a snapshot of their own.
    const parts = publish(45_000, 251).map((payload, n) => entry(20 + n, payload));
    const first = addEntries('own', { ...NOTHING_KNOWN, sinceSnapshot: 251 }, parts.slice(0, 90));
    const added = addEntries('own', first, parts.slice(89));
    expect([first.sinceSnapshot, added.sinceSnapshot, parts.length]).toEqual([251, 0, 251]);
    const [only] = publish(MARKS_MAX * PARTS_MAX, 999);
    expect(only?.marks).toEqual({ [READ_TEAM]: [0, at(9)] });
  });
});
