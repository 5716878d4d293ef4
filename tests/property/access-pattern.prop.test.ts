import { array, assert, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';

import { parseChannel, ROOM_IDS, splitRoomKey, toChannel, toRoomKey } from '#domain/rooms.ts';
import { toAccessPattern, toAlternatives } from '#server/hosted/access-pattern.ts';

/** Few characters, so that prefixes and whole words often coincide. */
const word = string({ unit: constantFrom('a', 'b', '-', '_', '0', 'Z'), maxLength: 6 });
const words = array(word, { minLength: 1, maxLength: 30 });

test('exactly the given words match', () => {
  assert(
    property(words, array(word), (known, others) => {
      const pattern = new RegExp(`^${toAlternatives(known)}$`);
      for (const text of [...known, ...others]) {
        expect(pattern.test(text)).toBe(known.includes(text));
      }
    }),
  );
});

const TEMPLATES = ['chat.{cid}.{rid}', '{rid}-$1(a|b)?{cid}', 'prod.[chat]+{cid}_{rid}'];
const clientId = string({
  unit: constantFrom('c', '_', '1', '2', '-'),
  minLength: 1,
  maxLength: 5,
});

test('exactly the rooms of the clients match, whatever the template', () => {
  assert(
    property(
      constantFrom(...TEMPLATES),
      array(clientId, { minLength: 1 }),
      array(clientId),
      (template, own, others) => {
        const pattern = new RegExp(toAccessPattern(template, own));
        for (const id of [...own, ...others]) {
          for (const roomId of ROOM_IDS) {
            const channel = toChannel(template, toRoomKey(id, roomId));
            // If ids and literals are adjacent, a channel may be parsed in two ways.
            const read = parseChannel(template, channel);
            const isOwn = own.includes(id) || (read && own.includes(splitRoomKey(read).clientId));
            expect(pattern.test(channel)).toBe(isOwn);
          }
        }
      },
    ),
  );
});
