import { describe, expect, it, vi } from 'vitest';

import { listUnreadMarks } from '#db/facts/list-unread-marks.ts';
import { unreadOf } from '#db/read/unread-model.ts';
import { countUnread, toUnread } from '#db/read/unread.ts';
import type { Fact } from '#domain/events.ts';
import { toUnreadFrom } from '#domain/rules/unread.ts';
import { nextTimetoken, previousTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, idAt, ME, page, received, ROOM, roomRead } from '#tests/support/facts.ts';

const began = (timetoken: Timetoken): Fact => ({ type: 'v1.ReadingBegan', timetoken });
/** A new device: reading began long ago, and only the newest page was read. */
const NEW = [began(at(0)), page(at(5), at(6)), received(at(5)), received(at(6))];

const openWith = async (facts: readonly Fact[]) => {
  const tab = await createDevice().openTab();
  await tab.append(facts);
  const find = async () => {
    const counted = await countUnread(tab.database, await listUnreadMarks(tab.database));
    return counted && toUnread(counted).get(ROOM);
  };
  return { tab, find };
};

describe('unread messages of which a device lacks some', () => {
  it('are marked as incomplete', async () => {
    const { find } = await openWith(NEW);
    expect(await find()).toEqual({ count: 2, first: at(5), newest: at(6), gapAfter: at(0) });
  });

  it.each<readonly [string, readonly Fact[]]>([
    ['the missing page was read', [page(nextTimetoken(at(0)), at(5)), received(at(3))]],
    ['the missing page was empty', [page(nextTimetoken(at(0)), previousTimetoken(at(5)))]],
    ['the room has no more', [page(at(4), at(5), true)]],
    ['they were read on another device', [roomRead(previousTimetoken(at(5)))]],
    [
      'the user answered',
      [received(at(7), { publisher: ME }), received(at(8)), page(at(6), at(8))],
    ],
  ])('are complete once %s', async (_, facts) => {
    const { tab, find } = await openWith(NEW);
    await tab.append(facts);
    const found = await find();
    expect(found?.count).toBeGreaterThan(0);
    expect(found).not.toHaveProperty('gapAfter');
  });

  it('are incomplete between two pages', async () => {
    const { find } = await openWith([...NEW, page(at(0), at(2)), roomRead(at(1))]);
    expect(await find()).toMatchObject({ first: at(5), gapAfter: at(1) });
  });

  it('are unread again after an undo, once they arrive', async () => {
    const { tab, find } = await openWith(NEW);
    const before = await find();
    const upTo = at(6);
    await tab.append([roomRead(upTo)]);
    expect(await find()).toBeUndefined();
    if (before === undefined) throw new Error('nothing was unread');
    await tab.recordUnread(new Map([[ROOM, { from: toUnreadFrom(before), upTo }]]));
    expect(await find()).toMatchObject({ count: 2, gapAfter: at(0) });
    await tab.append([page(nextTimetoken(at(0)), at(5)), received(at(3))]);
    expect(await find()).toMatchObject({ count: 3, first: at(3) });
    tab.close();
  });

  it('are incomplete after a hole in the stream, also for the model', async () => {
    const { tab, find } = await openWith([began(at(0))]);
    const fence = await tab.takeFence('t', 1);
    if (!fence.ok) throw new Error(fence.error.kind);
    await tab.openSegment(fence.value, { after: at(0), resumes: false });
    await tab.append([received(at(1))], fence.value);
    await tab.writeHeartbeat(fence.value, 1, { kind: 'online' }, at(1));
    const model = unreadOf(tab.database);
    await vi.waitFor(() => expect(model.get()?.get(ROOM)?.count).toBe(1));
    await tab.append([roomRead(at(1))]);
    await vi.waitFor(() => expect(model.get()?.get(ROOM)).toBeUndefined());
    await tab.openSegment(fence.value, { after: at(60), resumes: false, upTo: at(1) });
    await tab.append([received(at(61))], fence.value);
    const incomplete = { count: 1, first: at(61), gapAfter: at(1) };
    await vi.waitFor(() => expect(model.get()?.get(ROOM)).toMatchObject(incomplete));
    expect(await find()).toMatchObject(incomplete);
    tab.close();
  });

  it('are unknown until it is known where reading began', async () => {
    const { tab, find } = await openWith(NEW.slice(1));
    const model = unreadOf(tab.database);
    await vi.waitFor(async () => expect(await find()).toBeUndefined());
    expect(model.get()).toBeUndefined();
    await tab.append([began(at(5))]);
    await vi.waitFor(() => expect(model.get()?.get(ROOM)?.count).toBe(1));
    tab.close();
  });

  it('are reported with their gap if only late answers of the user are known', async () => {
    const lateAnswer = received(at(90_000), { publisher: ME, id: idAt(1) });
    const { tab, find } = await openWith([began(at(0)), page(at(80_000), at(90_000)), lateAnswer]);
    expect(await find()).toBeUndefined();
    const reports: unknown[] = [];
    const unwatch = tab.watchUnreadGaps((gaps) => reports.push([...gaps.keys()]));
    await vi.waitFor(() => expect(reports.at(-1)).toEqual([ROOM]));
    await tab.append([received(at(90_001))]);
    await vi.waitFor(() =>
      expect(unreadOf(tab.database).get()?.get(ROOM)).toMatchObject({
        count: 1,
        gapAfter: expect.any(String),
      }),
    );
    unwatch();
    tab.close();
  });

  it('are reported with their gap until a page has filled it, even one without messages', async () => {
    const { tab } = await openWith(NEW);
    const reports: unknown[] = [];
    const unwatch = tab.watchUnreadGaps((gaps) => reports.push([...gaps]));
    const gap = { after: at(0), before: at(5), isLowest: true };
    await vi.waitFor(() => expect(reports.at(-1)).toEqual([[ROOM, gap]]));
    await tab.append([page(nextTimetoken(at(0)), previousTimetoken(at(5)))]);
    await vi.waitFor(() => expect(reports.at(-1)).toEqual([]));
    expect(unreadOf(tab.database).get()?.get(ROOM)).not.toHaveProperty('gapAfter');
    unwatch();
    tab.close();
  });
});
