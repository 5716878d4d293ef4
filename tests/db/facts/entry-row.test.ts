import { serialize } from 'node:v8';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { toEntryRow, toReceivedFact } from '#db/facts/store-received.ts';
import {
  parseEntry,
  parsePositionKey,
  parseText,
  toIdentity,
  toPositionKey,
  toRowKey,
} from '#db/facts/entry-row.ts';
import { toReceivedRow } from '#domain/project/received.ts';
import { toMessageKey } from '#domain/project/rows.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { anyCharacter } from '#tests/support/any-character.ts';
import { at, received, ROOM } from '#tests/support/facts.ts';

const UUID = '01890a5d-ac96-774b-bcce-b302099a8057';

const arbitraryTimetoken = fc
  .bigInt({ min: 0n, max: 10n ** 17n - 1n })
  .map((number) => number.toString().padStart(17, '0') as Timetoken);
const arbitraryId = fc.oneof(
  fc.uuid(),
  fc.string({ unit: anyCharacter, minLength: 1 }),
  fc.constantFrom('=', '|', UUID.toUpperCase(), `${UUID}|`, `=${UUID}`),
);
const arbitraryReceived = fc
  .record({
    timetoken: arbitraryTimetoken,
    publisher: fc.string({ unit: fc.oneof(anyCharacter, fc.constantFrom('%', '|')) }),
    id: fc.option(arbitraryId, { nil: undefined }),
    text: fc.string({ unit: anyCharacter }),
    clientName: fc.string(),
    clientAvatar: fc.string(),
  })
  .map(({ timetoken, id, ...over }) =>
    received(timetoken, { ...over, ...(id !== undefined && { id }), via: 'history' }),
  );

describe('a stored message', () => {
  it('contains the received fact, whatever its content', () => {
    fc.assert(
      fc.property(arbitraryReceived, fc.boolean(), (fact, isEcholess) => {
        const row = toReceivedRow(fact);
        const stored = toEntryRow(row, isEcholess);
        const parsed = parseEntry(structuredClone(stored));
        const entry = parsed.ok ? parsed.value : undefined;
        expect(entry?.row).toEqual(row);
        expect(parseText(stored)?.publisher).toBe(row.publisher);
        expect(entry?.k).toBe(stored.k);
        const isOwn = isEcholess && fact.id !== undefined;
        expect(entry && toReceivedFact(entry)).toEqual(isOwn ? undefined : fact);
        expect(parsePositionKey(stored.k)).toEqual({
          room: ROOM,
          timetoken: fact.timetoken,
          id: isOwn ? fact.id : undefined,
        });
      }),
    );
  });

  it('is found by its position, in the order of the room', () => {
    fc.assert(
      fc.property(arbitraryTimetoken, arbitraryTimetoken, (a, b) => {
        const [one, other] = [toPositionKey(ROOM, a), toPositionKey(ROOM, b)];
        expect(one < other).toBe(a < b);
        expect(one.isWellFormed()).toBe(true);
        expect(one.includes('\uffff')).toBe(false);
      }),
    );
  });

  it('has one identity for each publisher and id, and both can be read from it', () => {
    fc.assert(
      fc.property(fc.string(), arbitraryId, fc.string(), arbitraryId, (p, id, q, other) => {
        const [one, two] = [toMessageKey(ROOM, p, id, at(0)), toMessageKey(ROOM, q, other, at(0))];
        expect(toRowKey(toIdentity(one))).toBe(one);
        expect(toIdentity(one) === toIdentity(two)).toBe(p === q && id === other);
      }),
    );
    expect(toIdentity(toMessageKey(ROOM, 'p', undefined, at(0)))).toBeUndefined();
  });

  it.each([
    [undefined],
    [{}],
    [{ k: 7 }],
    [{ k: 'nowhere', p: 'x', t: 'text' }],
    [{ k: `${ROOM}|`, p: 'x', t: 'text' }],
    [{ k: `${ROOM}|abcd`, p: 'x', t: 'text' }],
    [{ k: toPositionKey(ROOM, at(1)), p: 'x' }],
    [{ k: toPositionKey(ROOM, at(1)), t: 'text' }],
    [{ k: toPositionKey(ROOM, at(1)), f: 7, t: 'text' }],
    [{ k: toPositionKey(ROOM, at(1)), f: `c_009/team|x|=id`, t: 'text' }],
    [{ k: `${toPositionKey(ROOM, at(1))}?`, f: `${ROOM}|x|=id`, t: 'text' }],
  ])('is unreadable if it is damaged: %j', (stored) => {
    expect(parseEntry(stored).ok).toBe(false);
  });

  it('needs at most 265 bytes besides its text, including keys and indices, without compression', () => {
    const fact = received(at(1), {
      publisher: 'u_0123456789',
      id: UUID,
      clientName: 'Maya Okafor',
    });
    const { k, f = '', ...rest } = toEntryRow(toReceivedRow({ ...fact, text: '' }), false);
    const value = serialize({ k, f, ...rest }).length;
    // IndexedDB stores the value under its key, and the key in the index; texts are UTF-16.
    const keys = 2 * (k.length + f.length + k.length);
    expect(value + keys).toBeLessThanOrEqual(265);
  });
});
