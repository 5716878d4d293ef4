import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseMessageKey, type ThreadItem, toMessageKey } from '#domain/project/rows.ts';
import { toMessageId } from '#src/chat/rows/compose-rows.ts';
import { at, ROOM } from '#tests/support/facts.ts';

/** Names and ids made of the characters of keys. */
const arbitraryName = fc.string({ unit: fc.constantFrom('|', '@', '%', '7', 'C', '2', '5', 'a') });
const arbitraryId = arbitraryName.filter((id) => id !== '');

describe('a row key', () => {
  it('contains publisher and id, whatever their characters', () => {
    fc.assert(
      fc.property(arbitraryName, arbitraryId, (publisher, id) => {
        const key = toMessageKey(ROOM, publisher, id, at(1));
        expect(parseMessageKey(key)).toEqual({ room: ROOM, publisher, id });
      }),
    );
  });

  it('contains the position of a message without an id', () => {
    const key = toMessageKey(ROOM, '|', undefined, at(7));
    expect(parseMessageKey(key)).toEqual({ room: ROOM, timetoken: at(7) });
  });

  it.each(['', 'x', '|', ROOM, `${ROOM}|@1`, 'c_001/hall|u_1|a'])('is invalid as %j', (key) => {
    expect(parseMessageKey(key)).toBeUndefined();
  });

  it('provides the thread with the id of any publisher', () => {
    const key = toMessageKey(ROOM, 'u_%|', '@a|b', at(1));
    const names = { text: '', clientName: '', clientAvatar: '' };
    const row = {
      key,
      room: ROOM,
      timetoken: at(1),
      publisher: 'u_%|',
      kind: 'message',
      ...names,
    } as const;
    const item: ThreadItem = { source: 'log', key, own: false, row, gapAfter: false };
    expect(toMessageId(item)).toBe('@a|b');
  });
});
