import { describe, expect, it } from 'vitest';

import { toFactKey, toKeyRoom, toMessagePrefix, toRoomPrefix } from '#domain/envelope.ts';
import type { Fact } from '#domain/events.ts';
import { toMessageKey } from '#domain/project/rows.ts';
import { composeThread } from '#domain/project/thread.ts';
import { toNeededRows, WorkingSet } from '#domain/project/working-set.ts';
import { startsGroup } from '#domain/rules/grouping.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { parseEnvelope } from '#domain/upcast.ts';
import {
  at,
  attempted,
  discarded,
  failed,
  ME,
  page,
  published,
  queued,
  received,
  retried,
  ROOM,
} from '#tests/support/facts.ts';

const toSet = (facts: readonly Fact[]): WorkingSet => {
  const set = new WorkingSet();
  set.apply(facts.map((fact, i) => ({ seq: i + 1, key: toFactKey(fact), at: 0, fact })));
  return set;
};

describe('project', () => {
  it('keeps the position of a message through refusal and retry', () => {
    const before = [queued('a'), queued('b'), failed('a', 1)];
    expect(toSet(before).items.get('a')).toMatchObject({ state: 'failed', reason: 'refused' });
    const again = toSet([...before, retried('a', 2)]).items.get('a');
    expect(again).toEqual({
      id: 'a',
      room: ROOM,
      seq: 1,
      text: 'text of a',
      uid: ME,
      at: 1,
      state: 'queued',
    });
  });

  it('removes a discarded message, and shows it if it was already sent', () => {
    const facts = [queued('a'), discarded('a', 1)];
    expect(toSet(facts).items.size).toBe(0);
    const echo = received(at(1), { publisher: ME, id: 'a', text: 'text of a' });
    expect([...toSet([...facts, echo]).messages.values()]).toMatchObject([{ text: 'text of a' }]);
  });

  it('treats the echo as an acknowledgement, also after a refusal', () => {
    const echo = received(at(1), { publisher: ME, id: 'a' });
    const set = toSet([queued('a'), failed('a', 1), echo]);
    expect([set.items.size, set.messages.size]).toEqual([0, 1]);
    expect(toSet([echo, queued('a')]).items.size).toBe(0);
  });

  it('keeps an outgoing message whose id arrives in another room or from another publisher', () => {
    const elsewhere = received(at(1), { publisher: ME, id: 'a', room: 'c_002/team' });
    const foreign = received(at(2), { publisher: 'u_evil', id: 'a' });
    expect(toSet([queued('a'), elsewhere, foreign]).items.size).toBe(1);
  });

  it('shows the copy with the smallest timetoken', () => {
    const copies = [3, 1, 2].map((n) => received(at(n), { id: 'x', text: `copy ${n}` }));
    expect([...toSet(copies).messages.values()]).toMatchObject([
      { timetoken: at(1), text: 'copy 1' },
    ]);
  });

  it("prefers the engine's copy of the user's own message, and the smallest known timetoken", () => {
    const echo = (n: number) => received(at(n), { publisher: ME, id: 'a', text: 'as sent' });
    const orders = [
      [queued('a'), published('a', at(1)), echo(1)],
      [queued('a'), echo(1), published('a', at(1))],
      [queued('a'), echo(2), published('a', at(1)), echo(1)],
      [queued('a'), published('a', at(2)), echo(1), echo(2)],
    ];
    for (const facts of orders) {
      expect([...toSet(facts).messages.values()]).toMatchObject([
        { timetoken: at(1), text: 'as sent', clientName: 'Other' },
      ]);
    }
    const early = toSet([queued('a'), echo(2), published('a', at(1))]);
    expect([...early.messages.values()]).toMatchObject([{ timetoken: at(1), text: 'as sent' }]);
  });

  it('names all rows it reads, and no others', () => {
    const facts = [
      queued('a'),
      received(at(1), { id: 'b' }),
      received(at(2)),
      page(at(1), at(2)),
      attempted('c', at(1)),
      published('d', at(3)),
    ];
    expect(toNeededRows(facts)).toEqual({
      // Received messages are stored beside the projection.
      messages: new Set([`${ROOM}|${ME}|a`, `${ROOM}|${ME}|d`]),
      items: new Set(['b', 'c', 'd']),
      activity: new Set([ROOM]),
      rooms: new Set([ROOM]),
    });
  });
});

describe('toMessageKey', () => {
  it('differs for any two pairs of publisher and id', () => {
    const pairs = [
      ['u_me', 'x|1'],
      ['u_me|x', '1'],
      ['u_me%7Cx', '1'],
      ['u_me', 'x%7C1'],
      ['', '|'],
      ['|', ''],
    ] as const;
    const keys = pairs.map(([publisher, id]) => toMessageKey(ROOM, publisher, id, at(1)));
    expect(new Set([...keys, toMessageKey(ROOM, '', undefined, at(1))]).size).toBe(7);
  });
});

describe('toFactKey', () => {
  it('is one key for the live and the history copy, another for every retry', () => {
    expect(toFactKey(received(at(1)))).toBe(toFactKey(received(at(1), { via: 'history' })));
    expect(toFactKey(failed('a', 1))).not.toBe(toFactKey(failed('a', 2)));
    expect(toFactKey(retried('a', 1))).not.toBe(toFactKey(retried('a', 2)));
    expect(toFactKey(page(at(1), at(2)))).not.toBe(toFactKey(page(at(1), at(2), true)));
  });

  it('starts with its prefix, and contains its room', () => {
    const key = toFactKey(received(at(1)));
    expect(key).toBe(`${toRoomPrefix('copy', ROOM)}${at(1)}`);
    expect(toKeyRoom(key)).toBe(ROOM);
    expect(toFactKey(page(at(1), at(2))).startsWith(toRoomPrefix('page', ROOM))).toBe(true);
    expect(toFactKey(failed('a|b', 1))).toBe(`${toMessagePrefix('failed', 'a|b')}|1`);
  });
});

describe('composeThread', () => {
  const gapsOf = (spans: readonly (readonly [number, number])[], places: readonly number[]) => {
    const { messages } = toSet(places.map((place) => received(at(place))));
    const ranges = spans.map(([from, to]) => ({ from: at(from), to: at(to) }));
    return composeThread([...messages.values()], [], ME, ranges).flatMap((item, i) =>
      item.source === 'log' && item.gapAfter ? [places[i]] : [],
    );
  };

  it('marks the last entry before each gap that something follows', () => {
    const spans = [
      [1, 3],
      [10, 12],
      [20, 22],
    ] as const;
    expect(gapsOf(spans, [1, 2, 3, 10, 11, 20, 22])).toEqual([3, 11]);
    expect(gapsOf(spans, [1, 3, 5, 10])).toEqual([3]);
    expect(gapsOf(spans, [1, 2, 3])).toEqual([]);
    expect(gapsOf(spans, [20, 21])).toEqual([]);
    expect(gapsOf([[1, 3]], [1, 3, 9])).toEqual([]);
  });

  it('marks a gap even if only entries inside it or above it are shown', () => {
    const spans = [
      [1, 3],
      [10, 12],
    ] as const;
    expect(gapsOf(spans, [5, 6, 10, 11])).toEqual([6]);
    expect(gapsOf([[10, 12]], [4, 5, 10])).toEqual([5]);
    expect(gapsOf([[10, 12]], [4, 5])).toEqual([]);
  });
});

describe('startsGroup', () => {
  const noon = new Date(2025, 5, 18, 12).getTime();
  const hour = 3_600_000;
  const said = (ms: number, publisher: string) => received(fromEpochMs(ms), { publisher });
  /** The positions at which groups start. */
  const startsOf = (facts: readonly Fact[]) => {
    const { messages, items } = toSet(facts);
    const thread = composeThread([...messages.values()], [...items.values()], ME, []);
    return thread.flatMap((item, i) => (startsGroup(thread[i - 1], item) ? [i] : []));
  };

  it('joins consecutive messages of one publisher, unsent ones included', () => {
    const facts = [
      said(noon, 'u_other'),
      said(noon + 1, 'u_other'),
      said(noon + 2, ME),
      queued('a', { at: noon + 3 }),
      queued('b', { at: noon + 4 }),
    ];
    expect(startsOf(facts)).toEqual([0, 2]);
  });

  it('starts a new group after another publisher and on another day', () => {
    const facts = [
      said(noon, 'u_a'),
      said(noon + 1, 'u_b'),
      said(noon + 2, 'u_a'),
      said(noon + 12 * hour - 1, 'u_a'),
      said(noon + 12 * hour, 'u_a'),
      said(noon + 24 * 7 * hour, 'u_a'),
    ];
    expect(startsOf(facts)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('starts a new group after more than ten minutes of silence', () => {
    const minutes = [0, 9, 19, 29, 39.001, 40];
    expect(startsOf(minutes.map((at) => said(noon + at * 60_000, 'u_a')))).toEqual([0, 4]);
  });
});

describe('parseEnvelope', () => {
  const envelope = { seq: 1, key: 'k', at: 0, fact: received(at(1)) };

  it('reads a stored fact and drops its unknown fields', () => {
    expect(parseEnvelope({ ...envelope, v: 1 })).toEqual({ kind: 'known', envelope });
  });

  it('skips the facts of a newer version', () => {
    const newer = { ...envelope, fact: { type: 'v9.RoomPainted', colour: 'red' } };
    expect(parseEnvelope(newer)).toEqual({ kind: 'unknown', type: 'v9.RoomPainted' });
    const inherited = { ...envelope, fact: { type: 'constructor' } };
    expect(parseEnvelope(inherited)).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    undefined,
    null,
    'x',
    {},
    { ...envelope, seq: 'one' },
    { ...envelope, fact: undefined },
    { ...envelope, fact: { type: 1 } },
    { ...envelope, fact: { ...received(at(1)), timetoken: 17_000_000_000_000_000 } },
    { ...envelope, fact: { ...received(at(1)), room: '../etc' } },
  ])('returns the reason for an unreadable value: %j', (stored) => {
    const parsed = parseEnvelope(stored);
    expect(parsed.kind === 'malformed' && parsed.reason.length > 0).toBe(true);
  });
});
