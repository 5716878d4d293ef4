import { describe, expect, it } from 'vitest';

import type { ThreadItem } from '#domain/project/rows.ts';
import { toReadUpTo } from '#domain/rules/read-position.ts';
import { at, page, received } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { countReads } from '../count-reads.ts';
import { composeStored, openTabs, openThread, showThread } from './thread-tabs.ts';

/** The indices of the items before each gap. */
const findGaps = (items: readonly ThreadItem[]): readonly number[] =>
  items.flatMap((item, i) => (item.source === 'log' && item.gapAfter ? [i] : []));

describe('a thread in memory and the stream', () => {
  it("shows and closes a gap in the stream's messages, while a growing segment costs nothing", async () => {
    const [tab, leader] = await openTabs();
    await leader.takeFence('leader', 0);
    await leader.openSegment(1, { after: at(0), resumes: false });
    await leader.append([received(at(10_000)), received(at(20_000))], 1);
    const model = await showThread(tab);
    const left = openThread(tab, 'c_2/team');
    await untilPasses(() => expect(left.get()).toEqual([]));
    const gaps = () => findGaps(model.get() ?? []);
    const reads = countReads(tab.database);
    for (let n = 2; n < 6; n += 1)
      await leader.writeHeartbeat(1, n, { kind: 'online' }, at(n * 10_000));
    await untilPasses(async () => {
      const seen = await tab.database.meta.get('leader');
      expect(seen).toMatchObject({ cursor: at(50_000) });
    });
    expect(reads()).toBe(1);
    await leader.openSegment(1, { after: at(80_000), resumes: false, upTo: at(50_000) });
    await leader.append([received(at(90_000))], 1);
    await untilPasses(() => expect(gaps()).toEqual([1]));
    await leader.append([received(at(70_000), { via: 'history' })], 1);
    await leader.joinSegments(1, { after: at(45_000), to: at(80_000) });
    await untilPasses(() => expect(gaps()).toEqual([]));
    expect(model.get()).toHaveLength(4);
    expect(openThread(tab, 'c_2/team')).toBe(left);
  });

  it('shows a gap after a leader that was killed, before another stream is open', async () => {
    const [tab, leader] = await openTabs();
    await leader.takeFence('killed', 0);
    await leader.openSegment(1, { after: at(0), resumes: false });
    await leader.append([received(at(1)), received(at(2))], 1);
    await leader.writeHeartbeat(1, 2, { kind: 'online' }, at(2));
    const model = await showThread(tab);
    // Everything after at(2) is missing. The newest page is read without a leader.
    const newest = [received(at(40), { via: 'history' }), received(at(41), { via: 'history' })];
    await tab.append([...newest, page(at(40), at(41))]);
    await untilPasses(() => expect(model.get()).toHaveLength(4));
    const items = model.get() ?? [];
    expect(findGaps(items)).toEqual([1]);
    const keys = new Set(items.map(({ key }) => key));
    expect(toReadUpTo(items, at(2), { begins: keys, ends: keys })).toBe(at(2));
    await tab.takeFence('next', 3);
    await untilPasses(async () => expect(items).toEqual(await composeStored(tab, at(0))));
  });

  it('shows a gap before the messages after an overflow, before a heartbeat includes it', async () => {
    const [tab, leader] = await openTabs();
    await leader.takeFence('leader', 0);
    await leader.openSegment(1, { after: at(0), resumes: false });
    await leader.append([received(at(1))], 1);
    await leader.openSegment(1, { after: at(8), resumes: false, upTo: at(1) });
    await leader.append([received(at(9))], 1);
    const model = await showThread(tab);
    expect(findGaps(model.get() ?? [])).toEqual([0]);
  });

  it('closes the gap before a page once the heartbeat shows that the stream got there', async () => {
    const [tab, leader] = await openTabs();
    await leader.takeFence('leader', 0);
    await leader.openSegment(1, { after: at(0), resumes: false });
    await leader.append([received(at(1))], 1);
    await leader.writeHeartbeat(1, 1, { kind: 'online' }, at(1));
    const model = await showThread(tab);
    await leader.append([received(at(2)), received(at(3))], 1);
    await tab.append([received(at(4), { via: 'history' }), page(at(3), at(4))]);
    await untilPasses(() => expect(model.get()).toHaveLength(4));
    expect(findGaps(model.get() ?? [])).toEqual([0]);
    await leader.writeHeartbeat(1, 2, { kind: 'online' }, at(4));
    await untilPasses(() => expect(findGaps(model.get() ?? [])).toEqual([]));
  });

  it('reads the coverage of the stream once, however many rooms are in memory', async () => {
    const [tab, leader] = await openTabs();
    await leader.takeFence('leader', 0);
    const rooms = Array.from({ length: 29 }, (_, n) => `c_${n}/team` as const);
    for (const room of rooms) {
      const model = openThread(tab, room);
      const leave = model.watch(() => undefined);
      await untilPasses(() => expect(model.get()).toEqual([]));
      leave();
    }
    const model = openThread(tab);
    model.watch(() => undefined);
    await untilPasses(() => expect(model.get()).toEqual([]));
    expect(model.start.get()).toBe(false);
    const reads = countReads(tab.database);
    await leader.openSegment(1, { after: at(0), resumes: false });
    await leader.append([page(at(0), at(0), true)]);
    await untilPasses(() => expect(model.start.get()).toBe(true));
    // The leader, the segments and the floors; for the visible room its outbox and its pages, and
    // its messages once, until its start is known.
    expect(reads()).toBeLessThanOrEqual(3 + 2 * 2 + 1);
    expect(rooms.every((room) => openThread(tab, room).get()?.length === 0)).toBe(true);
  });
});
