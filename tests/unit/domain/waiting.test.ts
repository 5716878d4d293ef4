import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { MessageRow } from '#domain/project/rows.ts';
import { isStaff, type Staff, summarize } from '#domain/rules/waiting.ts';
import { type People, toSender } from '#domain/rules/sender.ts';
import { TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { anyCharacter } from '#tests/support/any-character.ts';
import { at, ROOM } from '#tests/support/facts.ts';

const NOTHING = { done: TIMETOKEN_ZERO, reminder: undefined, assignee: undefined };
const LISTED = ['u_ana', 'u_ben', 'client:c_009'];
const STAFF: Staff = { uid: 'u_me', listed: new Set(LISTED) };
const UNLISTED: Staff = { uid: 'u_me', listed: undefined };
const PEOPLE: People = {
  user: { uid: 'u_me', name: 'Jonas Weidner', email: null, image: null, role: 'team' },
  team: { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } },
  staff: LISTED.map((uid) => ({ uid, name: uid })),
};

const publisher = fc.oneof(
  fc.constantFrom('u_me', ...LISTED, 'client:c_001', 'client:c_002', 'client:', 'u_stranger', ''),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
);

const toRow = (from: string, n: number): MessageRow => ({
  key: `${ROOM}|@${n}`,
  room: ROOM,
  timetoken: at(n),
  publisher: from,
  kind: 'message',
  text: '',
  clientName: 'Ana Lopes',
  clientAvatar: '',
});
const toRows = (from: readonly string[]): readonly MessageRow[] => from.map(toRow);

describe('a publisher', () => {
  it('is staff exactly if the name beside a message shows it as staff', () => {
    fc.assert(
      fc.property(publisher, (from) => {
        const { role } = toSender({ publisher: from, clientName: 'Ana Lopes' }, PEOPLE);
        expect(isStaff(from, STAFF)).toBe(role === 'own' || role === 'staff');
      }),
    );
  });

  it('is staff without a list unless it has the prefix of the clients', () => {
    fc.assert(
      fc.property(publisher, (from) => {
        expect(isStaff(from, UNLISTED)).toBe(!from.startsWith('client:'));
      }),
    );
  });
});

describe('the wait of a room for a reply', () => {
  it('begins at the first entry after the last one by staff, of any author', () => {
    fc.assert(
      fc.property(fc.array(publisher, { minLength: 1, maxLength: 12 }), (from) => {
        const rows = toRows(from);
        const last = from.findLastIndex((one) => isStaff(one, STAFF));
        const summary = summarize(undefined, rows, STAFF, NOTHING);
        expect(summary?.waitingSince).toBe(rows[last + 1]?.timetoken);
        expect(summary?.last).toBe(rows.at(-1));
      }),
    );
  });

  it('is the same when the entries arrive in parts', () => {
    fc.assert(
      fc.property(fc.array(publisher, { maxLength: 12 }), fc.nat(12), (from, cut) => {
        const rows = toRows(from);
        const first = summarize(undefined, rows.slice(0, cut), STAFF, NOTHING);
        expect(summarize(first, rows.slice(cut), STAFF, NOTHING)).toEqual(
          summarize(undefined, rows, STAFF, NOTHING),
        );
      }),
    );
  });

  it('does not depend on entries before the last one by staff', () => {
    fc.assert(
      fc.property(
        fc.array(publisher, { maxLength: 8 }),
        fc.array(publisher, { maxLength: 8 }),
        (before, after) => {
          const rows = toRows([...before, 'u_ana', ...after]);
          const tail = rows.slice(before.length);
          expect(summarize(undefined, tail, STAFF, NOTHING)).toEqual(
            summarize(undefined, rows, STAFF, NOTHING),
          );
        },
      ),
    );
  });

  it('begins at the first entry after the one up to which no reply is needed', () => {
    fc.assert(
      fc.property(fc.array(publisher, { minLength: 1, maxLength: 12 }), fc.nat(11), (from, n) => {
        const rows = toRows(from);
        const done = rows[n]?.timetoken ?? TIMETOKEN_ZERO;
        const last = from.findLastIndex((one) => isStaff(one, STAFF));
        const first = rows.slice(last + 1).find(({ timetoken }) => timetoken > done);
        const summary = summarize(undefined, rows, STAFF, { ...NOTHING, done });
        expect(summary?.waitingSince).toBe(first?.timetoken);
      }),
    );
  });
});
