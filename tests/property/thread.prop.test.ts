import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { composeThread, replaceRows } from '#domain/project/thread.ts';
import { groupThread, toItemPublisher } from '#domain/rules/grouping.ts';
import { ME, queued } from '#tests/support/facts.ts';

import { arbitraryFact, toTables } from './arbitrary-facts.ts';

const arbitraryTables = fc
  .array(arbitraryFact, { maxLength: 40 })
  .map((facts) => toTables([queued('y'), ...facts, queued('z')]));
const arbitraryThread = arbitraryTables.map(({ messages, items }) =>
  composeThread(messages, items, ME, []),
);

describe('composeThread', () => {
  it('orders by timetoken, own unsent messages last, each key once', () => {
    fc.assert(
      fc.property(arbitraryThread, (thread) => {
        const log = thread.filter((item) => item.source === 'log');
        const waiting = thread.filter((item) => item.source === 'outbox');
        expect(thread).toEqual([...log, ...waiting]);
        const times = log.map(({ row }) => row.timetoken);
        expect(times).toEqual(times.toSorted());
        const seqs = waiting.map(({ item }) => item.seq);
        expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
        expect(new Set(thread.map(({ key }) => key)).size).toBe(thread.length);
      }),
    );
  });

  it('keeps the very objects that did not change', () => {
    fc.assert(
      fc.property(arbitraryTables, arbitraryTables, (before, after) => {
        const previous = composeThread(before.messages, before.items, ME, []);
        const next = composeThread(after.messages, after.items, ME, []);
        const kept = composeThread(after.messages, after.items, ME, [], previous);
        expect(kept).toEqual(next);
        const again = structuredClone(after);
        expect(composeThread(again.messages, again.items, ME, [], next)).toBe(next);
        for (const item of kept) {
          const old = previous.find(({ key }) => key === item.key);
          expect(old === item || JSON.stringify(old) !== JSON.stringify(item)).toBe(true);
        }
      }),
    );
  });
});

describe('replaceRows', () => {
  it('equals sorting all rows, and keeps those that look the same', () => {
    fc.assert(
      fc.property(arbitraryTables, arbitraryTables, ({ messages: before }, { messages: after }) => {
        const held = replaceRows([], new Map(before.map((row) => [row.key, row])));
        const gone = before.map(({ key }) => [key, undefined] as const);
        const changed = new Map([...gone, ...after.map((row) => [row.key, row] as const)]);
        const replaced = replaceRows(held, structuredClone(changed));
        const sorted = composeThread(after, [], ME, []);
        expect(replaced).toEqual(sorted.map((item) => item.source === 'log' && item.row));
        for (const row of replaced) {
          const old = before.find(({ key }) => key === row.key);
          expect(old === row || JSON.stringify(old) !== JSON.stringify(row)).toBe(true);
        }
      }),
    );
  });
});

describe('groupThread', () => {
  it('returns the thread when its groups are joined', () => {
    fc.assert(
      fc.property(arbitraryThread, (thread) => {
        expect(groupThread(thread).flatMap(({ items }) => items)).toEqual(thread);
      }),
    );
  });

  it('makes groups of one publisher, none of them empty', () => {
    fc.assert(
      fc.property(arbitraryThread, (thread) => {
        for (const group of groupThread(thread)) {
          const publishers = new Set(group.items.map(toItemPublisher));
          expect([...publishers]).toEqual([group.publisher]);
          expect(group.key).toBe(group.items[0]?.key);
        }
      }),
    );
  });
});
