import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Fact } from '#domain/events.ts';
import { at, ME, published, queued, received, ROOM } from '#tests/support/facts.ts';
import { toRuns } from '#tests/support/property-seed.ts';

import { arbitraryFact, arbitraryRemoteFacts, shuffled, toTables } from './arbitrary-facts.ts';

const ACCEPTED: readonly Fact[] = [queued('a'), queued('b'), queued('c')];

describe('projection', () => {
  it('gives the same tables in whatever order, and however often, remote facts arrive', () => {
    const runs = arbitraryRemoteFacts.chain((facts) =>
      fc.tuple(fc.constant(facts), shuffled(facts)),
    );
    fc.assert(
      fc.property(runs, ([facts, disorder]) => {
        expect(toTables([...ACCEPTED, ...disorder])).toEqual(toTables([...ACCEPTED, ...facts]));
      }),
      { numRuns: toRuns(1000) },
    );
  });

  it('changes nothing when all remote facts arrive again', () => {
    fc.assert(
      fc.property(arbitraryRemoteFacts, (facts) => {
        const once = toTables([...ACCEPTED, ...facts]);
        expect(toTables([...ACCEPTED, ...facts, ...facts])).toEqual(once);
      }),
    );
  });

  it('shows every received entry, and never one key twice', () => {
    fc.assert(
      fc.property(fc.array(arbitraryFact, { maxLength: 40 }), (facts) => {
        const { messages } = toTables(facts);
        const keys = messages.map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        for (const fact of facts) {
          if (fact.type !== 'v1.MessageReceived' || fact.id === undefined) continue;
          const row = messages.find(
            (row) => row.publisher === fact.publisher && row.key.endsWith(`|${fact.id}`),
          );
          expect(row && row.timetoken <= fact.timetoken).toBe(true);
        }
      }),
    );
  });

  it('keeps an accepted message in the outbox, whatever the facts about other messages', () => {
    fc.assert(
      fc.property(fc.array(arbitraryFact, { maxLength: 40 }), (facts) => {
        const { messages, items } = toTables([queued('z'), ...facts]);
        expect(items.map(({ id }) => id)).toContain('z');
        expect(messages.every(({ key }) => !key.endsWith('|z'))).toBe(true);
      }),
    );
  });

  it('never lets a publisher hide or replace what another one wrote', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }).filter((publisher) => publisher !== ME),
        fc.oneof(fc.constant('a'), fc.string({ minLength: 1, maxLength: 20 })),
        (publisher, id) => {
          const hostile = received(at(0), { publisher, id, text: 'hostile' });
          const mine = [queued('a'), received(at(5), { publisher: ME, id: 'a', text: 'mine' })];
          for (const facts of [
            [hostile, ...mine],
            [...mine, hostile],
          ]) {
            const { messages } = toTables(facts);
            expect(messages).toHaveLength(2);
            expect(messages).toContainEqual(
              expect.objectContaining({ publisher: ME, text: 'mine', timetoken: at(5) }),
            );
          }
          expect(toTables([queued('a'), hostile]).items).toHaveLength(1);
        },
      ),
    );
  });

  it('ignores an acknowledgement of an unknown message or of another room', () => {
    expect(toTables([published('x', at(1))])).toEqual({
      activity: [],
      messages: [],
      items: [],
      coverage: [],
    });
    const elsewhere = published('a', at(1), { room: 'c_002/team' });
    expect(toTables([queued('a'), elsewhere]).items).toMatchObject([{ id: 'a', room: ROOM }]);
  });
});
