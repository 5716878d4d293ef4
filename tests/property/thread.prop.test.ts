import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { composeThread, replaceRows } from '#domain/project/thread.ts';
import type { Fact } from '#domain/events.ts';
import type { ThreadItem } from '#domain/project/rows.ts';
import { startsGroup, toItemPublisher } from '#domain/rules/grouping.ts';
import type { People } from '#domain/rules/sender.ts';
import type { Producer } from '#domain/schemas/producer.ts';
import type { ThreadRow } from '#src/chat/rows/thread-row.ts';
import { createThreadRows, type ThreadContext } from '#src/chat/rows/compose-rows.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { at, ME, queued, received, ROOM } from '#tests/support/facts.ts';

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

  it('keeps the identity of objects that did not change', () => {
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
  it('has the result of sorting all rows, and keeps rows that look the same', () => {
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

const PEOPLE: People = {
  user: { uid: ME, name: 'Anna', email: null, image: null, role: 'producer' },
  team: { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } },
  staff: [],
};
const NOW: ThreadContext = {
  people: PEOPLE,
  sending: undefined,
  reached: true,
  newFrom: undefined,
  today: 1_700_000_000_000,
};
const arbitraryContext = fc.record({
  people: fc.constant(PEOPLE),
  sending: fc.constantFrom(undefined, 'a', 'y'),
  reached: fc.boolean(),
  newFrom: fc.option(fc.integer({ min: 0, max: 30 }).map(at), { nil: undefined }),
  today: fc.constantFrom(1_700_000_000_000, 1_700_090_000_000),
});

describe('createThreadRows', () => {
  it('derives the same rows from the previous ones as from scratch, and keeps those that look the same', () => {
    const change = fc.tuple(arbitraryTables, arbitraryContext);
    fc.assert(
      fc.property(fc.array(change, { minLength: 2, maxLength: 5 }), (changes) => {
        const toRows = createThreadRows();
        let thread: readonly ThreadItem[] = [];
        let before: readonly ThreadRow[] = [];
        for (const [{ messages, items }, context] of changes) {
          thread = composeThread(messages, items, ME, [], thread);
          const rows = toRows(thread, context);
          expect(rows).toEqual(createThreadRows()(thread, context));
          for (const row of rows) {
            const old = before.find(({ key }) => key === row.key);
            expect(old === row || JSON.stringify(old) !== JSON.stringify(row)).toBe(true);
          }
          before = rows;
        }
      }),
    );
  });

  it('says that an entry cannot be shown, instead of the JSON it has', () => {
    const raw = '{"type":"typing"}';
    const { messages } = toTables([
      {
        type: 'v1.UnreadableReceived',
        room: ROOM,
        timetoken: at(5),
        publisher: 'u',
        raw,
        via: 'live',
      },
    ]);
    const [row] = createThreadRows()(composeThread(messages, [], ME, []), NOW);
    expect(row).toMatchObject({ readable: false, text: "This message can't be shown here." });
  });

  it('shows each day once, and an unsent message of an earlier one with its own time', () => {
    const noon = new Date(2025, 5, 18, 12).getTime();
    const minute = 60_000;
    const day = 1440 * minute;
    const said = (time: number) => received(fromEpochMs(time), { publisher: ME });
    const { messages, items } = toTables([
      said(noon - day),
      said(noon),
      queued('early', { at: noon - day + minute }),
      queued('late', { at: noon + minute }),
      queued('skewed', { at: noon }),
      queued('next', { at: noon + day }),
    ]);
    const thread = composeThread(messages, items, ME, []);
    const rows = createThreadRows()(thread, { ...NOW, today: noon + day });
    expect(rows.map(({ nextDay }) => nextDay)).toEqual(['Yesterday', '', '', '', 'Today', '']);
    expect(rows.map(({ startsGroup: starts }) => starts)).toEqual([
      true,
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(rows[2]?.label).toBe('Last Tuesday');
  });

  it('starts a group at an unsent message that is much older than the one above it', () => {
    const noon = new Date(2025, 5, 18, 12).getTime();
    const { messages, items } = toTables([
      received(fromEpochMs(noon), { publisher: ME }),
      queued('early', { at: noon - 601_000 }),
    ]);
    const thread = composeThread(messages, items, ME, []);
    const rows = createThreadRows()(thread, { ...NOW, today: noon });
    expect(rows.map(({ startsGroup: starts }) => starts)).toEqual([true, true]);
  });

  it.each([25, 5000])('names only the senders next to a change, of %d messages', (count) => {
    let named = 0;
    const staff = new Proxy<Producer[]>([], {
      get: (list, field) => {
        if (field === 'find') named += 1;
        return Reflect.get(list, field) as unknown;
      },
    });
    const context = { ...NOW, people: { ...PEOPLE, staff } };
    const facts = Array.from({ length: count }, (_, n) => received(at(2 * n)));
    const toRows = createThreadRows();
    const follow = (last: readonly ThreadItem[], ...added: readonly Fact[]) => {
      named = 0;
      facts.push(...(added as typeof facts));
      const { messages } = toTables(facts);
      const thread = composeThread(messages, [], ME, [], last);
      toRows(thread, context);
      return { thread, named };
    };
    const all = follow([]);
    expect(all.named).toBe(count);
    const appended = follow(all.thread, received(at(2 * count)));
    expect(appended.named).toBe(2);
    const filled = follow(appended.thread, received(at(9)));
    expect(filled.named).toBe(3);
    toRows(filled.thread, { ...context, sending: 'a' });
    expect(named).toBe(3);
  });
});

describe('startsGroup', () => {
  it('splits a thread into groups of one publisher', () => {
    fc.assert(
      fc.property(arbitraryThread, (thread) => {
        for (const [i, item] of thread.entries()) {
          const before = thread[i - 1];
          if (startsGroup(before, item)) continue;
          expect(before && toItemPublisher(before)).toBe(toItemPublisher(item));
        }
        const [first] = thread;
        expect(first === undefined || startsGroup(undefined, first)).toBe(true);
      }),
    );
  });
});
