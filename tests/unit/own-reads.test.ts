import { describe, expect, it } from 'vitest';

import { toRoomKey } from '#domain/rooms.ts';
import {
  addOwnEntries,
  hasSnapshot,
  NO_OWN_READS,
  type OwnReads,
  SNAPSHOT_EVERY,
  toOwnPayloads,
} from '#domain/project/own-reads.ts';
import { OWN_ROOMS_MAX, parseOwnEntry } from '#domain/schemas/own-log.ts';
import { type MarkEntry, toOwnChannel } from '#domain/schemas/mark-log.ts';
import { at } from '#tests/support/facts.ts';

const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');

const entry = (place: number, payload: unknown): MarkEntry => ({ timetoken: at(place), payload });
const reads = (place: number, of: Readonly<Record<string, unknown>>, more: object = {}) =>
  entry(place, { v: 1, reads: of, ...more });
const knownOf = (entries: readonly MarkEntry[]): OwnReads => addOwnEntries(NO_OWN_READS, entries);
const here = (rooms: readonly (readonly [typeof TEAM, number])[], began?: number) => ({
  reads: new Map(rooms.map(([room, place]) => [room, at(place)])),
  began: began === undefined ? undefined : at(began),
});

describe('an entry of the own log', () => {
  it.each([
    undefined,
    null,
    'text',
    [],
    { v: 2, reads: {} },
    { v: 1 },
    { v: 1, reads: [] },
    { reads: {} },
  ])('of another shape or version adds nothing: %j', (payload) => {
    expect(parseOwnEntry(entry(5, payload))?.reads ?? {}).toEqual({});
    expect(knownOf([entry(5, payload)])).toMatchObject({ reads: new Map(), upTo: at(5) });
  });

  it('keeps positions of rooms, and none that were written later than itself', () => {
    const hostile = {
      [TEAM]: at(4),
      [GENERAL]: at(6),
      'c_001/other': at(1),
      '../x': at(1),
      'c_002/team': 17,
      __proto__: at(1),
    };
    const parsed = parseOwnEntry(
      reads(5, hostile, { began: at(9), snapshot: { id: '', part: -1 } }),
    );
    expect(parsed).toEqual({ v: 1, reads: { [TEAM]: at(4) } });
  });

  it('is in a channel of its user, whose uid must be able to name one', () => {
    expect(toOwnChannel('u_producer')).toBe('own.u_producer');
    expect(['', 'a.b', 'a*', 'ü', 'a'.repeat(65)].map(toOwnChannel)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });
});

describe('what entries add up to', () => {
  const ENTRIES = [
    reads(10, { [TEAM]: at(3) }, { began: at(2) }),
    reads(20, { [TEAM]: at(8), [GENERAL]: at(5) }),
    reads(30, { [TEAM]: at(6) }, { began: at(4) }),
  ];

  it('is the same in any order, and twice', () => {
    const once = knownOf(ENTRIES);
    expect(once.reads).toEqual(
      new Map([
        [TEAM, at(8)],
        [GENERAL, at(5)],
      ]),
    );
    expect(once.began).toBe(at(2));
    expect(knownOf(ENTRIES.toReversed()).reads).toEqual(once.reads);
    expect(addOwnEntries(once, ENTRIES)).toMatchObject({ reads: once.reads, began: once.began });
  });

  it('a snapshot needs all its parts', () => {
    const part = (index: number, of: number) =>
      reads(index + 1, {}, { snapshot: { id: 's', part: index, of } });
    expect(hasSnapshot([part(0, 2)])).toBe(false);
    expect(hasSnapshot([part(1, 2), part(1, 2)])).toBe(false);
    expect(hasSnapshot([part(0, 2), reads(9, {}), part(1, 2)])).toBe(true);
    expect(knownOf([part(0, 1), reads(9, {}), reads(10, {})]).sinceSnapshot).toBe(2);
  });
});

describe('what a device publishes', () => {
  it('is what the own log does not say, and nothing if it does', () => {
    const known = knownOf([reads(10, { [TEAM]: at(3) }, { began: at(1) })]);
    expect(toOwnPayloads(known, here([[TEAM, 3]], 5), 's')).toEqual([]);
    expect(
      toOwnPayloads(
        known,
        here(
          [
            [TEAM, 7],
            [GENERAL, 2],
          ],
          5,
        ),
        's',
      ),
    ).toEqual([{ v: 1, reads: { [TEAM]: at(7), [GENERAL]: at(2) } }]);
  });

  it('says where reading began, once', () => {
    expect(toOwnPayloads(NO_OWN_READS, here([], 5), 's')).toEqual([
      { v: 1, reads: {}, began: at(5) },
    ]);
    expect(toOwnPayloads(knownOf([reads(9, {}, { began: at(2) })]), here([], 5), 's')).toEqual([]);
  });

  it('repeats everything from time to time, in parts, so that older entries add nothing', () => {
    // The longest ids there are.
    const rooms = Array.from({ length: OWN_ROOMS_MAX + 1 }, (_, n) =>
      toRoomKey(String(n).padStart(64, 'x'), 'producers'),
    );
    const old = rooms.map((room) => reads(10, { [room]: at(3) }));
    const known = knownOf([...old, reads(11, {}, { began: at(1) })]);
    expect(known.sinceSnapshot).toBeGreaterThan(SNAPSHOT_EVERY);
    const payloads = toOwnPayloads(known, here([[TEAM, 9]]), 's');
    expect(payloads.map(({ snapshot }) => snapshot)).toEqual([
      { id: 's', part: 0, of: 2 },
      { id: 's', part: 1, of: 2 },
    ]);
    const entries = payloads.map((payload, index) => entry(20 + index, payload));
    expect(hasSnapshot(entries)).toBe(true);
    const anew = knownOf(entries);
    expect(anew).toMatchObject({ began: at(1), sinceSnapshot: 0 });
    expect(anew.reads.size).toBe(OWN_ROOMS_MAX + 2);
    expect(JSON.stringify(payloads[0]).length).toBeLessThan(32_768);
  });
});
