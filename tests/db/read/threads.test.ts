import * as fc from 'fast-check';
import { IDBObjectStore } from 'fake-indexeddb';
import { describe, expect, it, vi } from 'vitest';

import { pruneRoom } from '#db/log/prune-room.ts';
import { rebuildProjections } from '#db/log/rebuild.ts';
import type { UserStore } from '#db/user/user-store.ts';
import type { Fact } from '#domain/events.ts';
import type { ThreadItem } from '#domain/project/rows.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { arbitraryFact } from '#tests/property/arbitrary-facts.ts';
import { at, page, published, queued, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';
import { toRuns } from '#tests/support/property-seed.ts';

import { countReads } from '../count-reads.ts';
import { closeTabs, composeStored, openTabs, openThread, showThread } from './thread-tabs.ts';

/** Without the fields that no thread shows. */
const toShown = (thread: readonly ThreadItem[] | undefined) =>
  thread?.map((entry) => {
    if (entry.source === 'log') return entry;
    const { attemptedAfter: _hidden, ...item } = entry.item;
    return { ...entry, item };
  });

const receivedMany = (count: number): readonly Fact[] =>
  Array.from({ length: count }, (_, n) => received(at(n)));

type Step =
  | { readonly kind: 'append'; readonly tab: 0 | 1; readonly facts: readonly Fact[] }
  | { readonly kind: 'prune'; readonly cut: Timetoken }
  | { readonly kind: 'open'; readonly after: Timetoken; readonly resumes: boolean }
  | { readonly kind: 'close'; readonly upTo: Timetoken }
  | { readonly kind: 'join'; readonly after: Timetoken; readonly to: Timetoken }
  | { readonly kind: 'forget' | 'rebuild' | 'leave' };

const arbitraryPlace = fc.integer({ min: 0, max: 30 }).map(at);
const toKind = <const K extends string>(kind: K) => fc.constant(kind);

/** The coverage of the stream changes, too. */
const arbitraryStreamStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: toKind('open'), after: arbitraryPlace, resumes: fc.boolean() }),
  fc.record({ kind: toKind('close'), upTo: arbitraryPlace }),
  fc.record({ kind: toKind('join'), after: arbitraryPlace, to: arbitraryPlace }),
  fc.record({ kind: toKind('forget') }),
);

const arbitraryStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      tab: fc.constantFrom(0 as const, 1 as const),
      facts: fc.array(arbitraryFact, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 3, arbitrary: arbitraryStreamStep },
  {
    weight: 1,
    arbitrary: arbitraryPlace.map((cut) => ({ kind: 'prune' as const, cut })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ kind: 'rebuild' as const }, { kind: 'leave' as const }),
  },
);

/** Changes the coverage of the stream, as the leading tab. */
const runStreamStep = async (tab: UserStore, step: Step): Promise<void> => {
  if (step.kind === 'open') await tab.openSegment(1, step);
  if (step.kind === 'close') await tab.closeSegment(1, step.upTo);
  if (step.kind === 'join') await tab.joinSegments(1, step);
  if (step.kind === 'forget') await tab.forgetCoverage(1);
};

describe('the thread in memory', () => {
  it('equals the stored data, after any commits of this tab and others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryStep, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 0, max: 15 }).map(at),
        async (steps, from) => {
          const tabs = await openTabs();
          await tabs[1].takeFence('leader', 0);
          let model = openThread(tabs[0]);
          let leave = model.watch(() => undefined);
          model.show(from);
          const run = async (step: Step): Promise<void> => {
            if (step.kind === 'append') await tabs[step.tab].append(step.facts);
            if (step.kind === 'prune') await pruneRoom(tabs[1].database, ROOM, step.cut, undefined);
            await runStreamStep(tabs[1], step);
            if (step.kind === 'rebuild') await rebuildProjections(tabs[1].database);
            if (step.kind !== 'leave') return;
            leave();
            model = openThread(tabs[0]);
            leave = model.watch(() => undefined);
            model.show(from);
          };
          // The loop does not wait for the thread: a commit may arrive while another one is read.
          for (const step of steps) await run(step);
          await untilPasses(async () =>
            expect(toShown(model.get())).toEqual(toShown(await composeStored(tabs[0], from))),
          );
          closeTabs();
        },
      ),
      { numRuns: toRuns(60) },
    );
  });

  it('shows an outgoing message as soon as it is committed, without reading', async () => {
    const [tab] = await openTabs();
    await tab.append(receivedMany(3));
    const model = await showThread(tab);
    const reads = countReads(tab.database);
    const appended = tab.append([queued('a')]);
    expect(model.get()).toHaveLength(3);
    await appended;
    expect(model.get()?.map(({ source }) => source)).toEqual(['log', 'log', 'log', 'outbox']);
    await tab.append([published('a', at(9))]);
    expect(model.get()?.map(({ source }) => source)).toEqual(['log', 'log', 'log', 'log']);
    expect(reads()).toBe(0);
    expect(model.get()).toEqual(await composeStored(tab, at(0)));
  });

  it('does not show a message that was refused', async () => {
    const [tab] = await openTabs();
    const model = await showThread(tab);
    const seen: unknown[] = [];
    model.watch(() => seen.push(model.get()));
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no space', 'QuotaExceededError');
    });
    expect(await tab.append([queued('a')])).toMatchObject({ ok: false });
    expect(seen).toEqual([]);
    expect(model.get()).toEqual([]);
  });

  it('stays empty in another room', async () => {
    const [tab] = await openTabs();
    const model = openThread(tab, 'c_002/team');
    model.watch(() => undefined);
    await untilPasses(() => expect(model.get()).toEqual([]));
    const reads = countReads(tab.database);
    await tab.append([queued('a'), received(at(1)), page(at(0), at(2))]);
    expect(model.get()).toEqual([]);
    expect(reads()).toBe(0);
  });

  it.each(['this', 'another'])(
    'does not seem empty while the first page of %s tab is committed',
    async (writer) => {
      const [tab, other] = await openTabs();
      const model = await showThread(tab);
      const seen: unknown[] = [];
      model.watch(() => seen.push([model.get()?.length, model.start.get()]));
      const facts = [received(at(1)), page(at(0), at(2), true)];
      const appended = (writer === 'this' ? tab : other).append(facts);
      // The read for the stream waits for the commit, and ends before that is reported.
      model.followStream();
      await appended;
      await untilPasses(() => expect(seen.at(-1)).toEqual([1, true]));
      expect(seen).not.toContainEqual([0, true]);
    },
  );

  it('is read again as a whole once another tab leads, because a commit may be missing', async () => {
    const [tab, other] = await openTabs();
    const leaders: unknown[] = [];
    tab.watchLeader((leader) => leaders.push(leader));
    await other.takeFence('ended', 1);
    await untilPasses(() => expect(leaders.at(-1)).toMatchObject({ tabId: 'ended' }));
    const model = await showThread(tab);
    // Simulates a tab that ended before it reported its commit.
    const report = vi.spyOn(model, 'apply').mockImplementation(() => undefined);
    await other.append([received(at(1))]);
    report.mockRestore();
    expect(model.get()).toEqual([]);
    await other.takeFence('next', 2);
    await untilPasses(() => expect(model.get()).toHaveLength(1));
  });

  it.each([2, 25])('opens a room of %d messages with the same reads', async (count) => {
    const [tab] = await openTabs();
    await tab.append(receivedMany(count));
    const reads = countReads(tab.database);
    const model = openThread(tab);
    model.watch(() => undefined);
    await untilPasses(() => expect(model.get()).toHaveLength(count));
    expect(reads()).toBe(6);
  });

  it.each([25, 5000])('needs the same reads with %d messages on the screen', async (count) => {
    const [tab, other] = await openTabs();
    await tab.append(receivedMany(count));
    const model = await showThread(tab);
    const reads = countReads(tab.database);
    const costOf = async (writer: UserStore, fact: Fact): Promise<number> => {
      const before = model.get();
      await writer.append([fact]);
      await untilPasses(() => expect(model.get()).not.toBe(before));
      return reads();
    };
    expect(await costOf(tab, queued('a'))).toBe(0);
    expect(await costOf(tab, published('a', at(count)))).toBe(0);
    expect(await costOf(tab, received(at(count + 1)))).toBe(0);
    // The outbox, the coverage, and each message that may have changed.
    expect(await costOf(other, queued('b'))).toBe(2);
    expect(await costOf(other, published('b', at(count + 2)))).toBe(3);
    expect(await costOf(other, received(at(count + 3)))).toBe(3);
  });

  it('keeps the newest page of 30 rooms that were left, and reads nothing to show them', async () => {
    const [tab] = await openTabs();
    const rooms = Array.from({ length: 31 }, (_, n) => `c_${n}/team` as const);
    await tab.append(
      rooms.flatMap((room) => [received(at(1), { room }), received(at(2), { room })]),
    );
    for (const room of rooms) {
      const model = openThread(tab, room);
      const leave = model.watch(() => undefined);
      await untilPasses(() => expect(model.get()).toHaveLength(2));
      leave();
    }
    const reads = countReads(tab.database);
    await tab.append([received(at(3), { room: 'c_1/team' })]);
    expect(rooms.slice(1).map((room) => openThread(tab, room).get()?.length)).toEqual([
      3,
      ...Array.from({ length: 29 }, () => 2),
    ]);
    expect(reads()).toBe(0);
    expect(openThread(tab, 'c_0/team').get()).toBeUndefined();
  });

  it('keeps only the newest page of a room that was left', async () => {
    const [tab] = await openTabs();
    await tab.append(receivedMany(60));
    const model = openThread(tab);
    const leave = model.watch(() => undefined);
    model.show(at(0));
    await untilPasses(() => expect(model.get()).toHaveLength(60));
    leave();
    expect(openThread(tab).get()).toEqual(await composeStored(tab, at(35)));
  });
});
