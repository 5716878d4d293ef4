import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { unreadOf } from '#db/read/unread-model.ts';
import { META } from '#db/schema/tables.ts';
import type { Fact } from '#domain/events.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { NO_OWN_READS, type OwnReads } from '#domain/project/own-reads.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const OTHER = toRoomKey('c_009', 'team');
const read = (place: number, room = ROOM): Fact => ({
  type: 'v1.RoomRead',
  room,
  timetoken: at(place),
});
const began: Fact = { type: 'v1.ReadingBegan', timetoken: at(1) };

const ownOf = (place: number, reads: readonly (readonly [typeof ROOM, number])[]): OwnReads => ({
  upTo: at(place),
  reads: new Map(reads.map(([room, readUpTo]) => [room, at(readUpTo)])),
  began: at(1),
  sinceSnapshot: 3,
});

const prepare = async () => {
  const device = createDevice();
  const tab = await device.openTab();
  const fence = await tab.takeFence('tab', 1);
  if (!fence.ok) throw new Error('no fence');
  const list = async (since?: number) => {
    const listed = await tab.listReads(since);
    if (!listed.ok) throw new Error(listed.error.kind);
    return { ...listed.value, reads: Object.fromEntries(listed.value.reads) };
  };
  return { device, tab, fence: fence.value, list };
};

describe('what was read on a device', () => {
  it('is listed whole, and then as far as it is new', async () => {
    const { tab, list } = await prepare();
    await tab.append([began, received(at(4)), read(4), read(2)]);
    const all = await list();
    expect(all).toMatchObject({ reads: { [ROOM]: at(4) }, began: at(1) });
    expect(await list(all.last)).toEqual({ reads: {}, began: undefined, last: all.last });
    await tab.append([read(7, OTHER), read(6)]);
    const news = await list(all.last);
    expect(news).toMatchObject({ reads: { [ROOM]: at(6), [OTHER]: at(7) }, began: undefined });
    expect(news.last).toBeGreaterThan(all.last);
  });

  it('is reported whichever tab reads', async () => {
    const { device, tab } = await prepare();
    const other = await device.openTab();
    let reports = 0;
    tab.watchReads(() => {
      reports += 1;
    });
    await untilPasses(() => expect(reports).toBe(1));
    await other.append([read(4)]);
    await untilPasses(() => expect(reports).toBe(2));
    other.close();
  });
});

describe('what was read on other devices', () => {
  it('counts as read here, and takes nothing back', async () => {
    const { tab, fence, list } = await prepare();
    await tab.append([began, received(at(4), { id: 'a' }), received(at(8), { id: 'b' })]);
    await tab.append([read(6, OTHER)]);
    const unread = unreadOf(tab.database);
    await untilPasses(() => expect(unread.get()?.get(ROOM)?.count).toBe(2));
    const own = ownOf(20, [
      [ROOM, 5],
      [OTHER, 2],
    ]);
    expect(await tab.keepOwnReads(fence, own)).toEqual({ ok: true, value: undefined });
    await untilPasses(() => expect(unread.get()?.get(ROOM)?.count).toBe(1));
    expect(await list()).toMatchObject({ reads: { [ROOM]: at(5), [OTHER]: at(6) } });
    expect(await tab.findOwnReads()).toEqual({ ok: true, value: own });
  });

  it('is taken once more if it was not kept to the end', async () => {
    const { tab, fence, list } = await prepare();
    await tab.keepOwnReads(fence, ownOf(20, [[ROOM, 5]]));
    await tab.database.meta.delete(META.own);
    const before = await tab.database.log.count();
    await tab.keepOwnReads(fence, ownOf(20, [[ROOM, 5]]));
    expect(await tab.database.log.count()).toBe(before);
    expect((await list()).reads).toEqual({ [ROOM]: at(5) });
  });

  it('is compared anew with the own log of an engine whose log was replaced', async () => {
    const { tab, fence, list } = await prepare();
    await tab.keepOwnReads(fence, ownOf(20, [[ROOM, 5]]));
    await tab.forgetCoverage(fence);
    expect(await tab.findOwnReads()).toEqual({ ok: true, value: NO_OWN_READS });
    expect((await list()).reads).toEqual({ [ROOM]: at(5) });
  });

  it('is not written by a tab that no longer leads', async () => {
    const { tab, fence, list } = await prepare();
    await tab.takeFence('other', 2);
    expect(await tab.keepOwnReads(fence, ownOf(20, [[ROOM, 5]]))).toEqual({
      ok: false,
      error: { kind: 'fenced' },
    });
    expect((await list()).reads).toEqual({});
    expect(await tab.findOwnReads()).toEqual({ ok: true, value: NO_OWN_READS });
  });

  it.each([null, 'text', { reads: {} }, { reads: [['x', 'y']], sinceSnapshot: 0 }, { reads: [] }])(
    'is read again from the own log if the row is damaged: %j',
    async (own) => {
      const { tab } = await prepare();
      await tab.database.meta.put({ key: META.own, own, v: 2 });
      expect(await tab.findOwnReads()).toEqual({ ok: true, value: NO_OWN_READS });
    },
  );
});
