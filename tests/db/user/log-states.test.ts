import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { rebuildProjections } from '#db/log/rebuild.ts';
import { pruneHistory } from '#db/log/retention.ts';
import { unreadOf } from '#db/read/unread-model.ts';
import { META, ROW_VERSION } from '#db/schema/tables.ts';
import type { UserStore } from '#db/user/user-store.ts';
import type { Fact } from '#domain/events.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { type LogState, NOTHING_KNOWN, toStoredState } from '#domain/project/log-state.ts';
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

const ownOf = (place: number, reads: readonly (readonly [typeof ROOM, number])[]): LogState => ({
  upTo: at(place),
  marks: new Map(reads.map(([room, n]) => [`read:${room}`, { turn: 0, value: at(n) }])),
  began: at(1),
  sinceSnapshot: 3,
});

const prepare = async () => {
  const device = createDevice();
  const tab = await device.openTab();
  const fence = await tab.takeFence('tab', 1);
  if (!fence.ok) throw new Error('no fence');
  const list = async (since?: number) => {
    const listed = await tab.listLocalMarks('own', since);
    if (!listed.ok) throw new Error(listed.error.kind);
    const { marks, ...more } = listed.value;
    const reads = Array.from(marks, ([key, { value }]) => [key.replace('read:', ''), value]);
    return { ...more, reads: Object.fromEntries(reads) };
  };
  return { device, tab, fence: fence.value, list };
};

describe('the read positions of a device', () => {
  it('are listed as a whole, then only the new ones', async () => {
    const { tab, list } = await prepare();
    await tab.append([began, received(at(4)), read(4), read(2)]);
    const all = await list();
    expect(all).toMatchObject({ reads: { [ROOM]: at(4) }, began: at(1) });
    expect(await list(all.last)).toEqual({ reads: {}, began: undefined, last: all.last });
    await tab.append([read(7, OTHER), read(6)]);
    const latest = await list(all.last);
    expect(latest).toMatchObject({ reads: { [ROOM]: at(6), [OTHER]: at(7) }, began: undefined });
    expect(latest.last).toBeGreaterThan(all.last);
  });

  it('are reported whichever tab reads', async () => {
    const { device, tab } = await prepare();
    const other = await device.openTab();
    let reports = 0;
    tab.watchLocalMarks('own', () => {
      reports += 1;
    });
    await untilPasses(() => expect(reports).toBe(1));
    await other.append([read(4)]);
    await untilPasses(() => expect(reports).toBe(2));
    other.close();
  });
});

describe('the read positions of other devices', () => {
  it('count as read here, and never move back', async () => {
    const { tab, fence, list } = await prepare();
    await tab.append([began, received(at(4), { id: 'a' }), received(at(8), { id: 'b' })]);
    await tab.append([read(6, OTHER)]);
    const unread = unreadOf(tab.database);
    await untilPasses(() => expect(unread.get()?.get(ROOM)?.count).toBe(2));
    const own = ownOf(20, [
      [ROOM, 5],
      [OTHER, 2],
    ]);
    expect(await tab.saveLogState(fence, 'own', own)).toEqual({ ok: true, value: undefined });
    await untilPasses(() => expect(unread.get()?.get(ROOM)?.count).toBe(1));
    expect(await list()).toMatchObject({ reads: { [ROOM]: at(5), [OTHER]: at(6) } });
    expect(await tab.findLogState('own')).toEqual({ ok: true, value: own });
  });

  it('are applied again if storing them was interrupted', async () => {
    const { tab, fence, list } = await prepare();
    await tab.saveLogState(fence, 'own', ownOf(20, [[ROOM, 5]]));
    await tab.database.meta.delete(META.own);
    const before = await tab.database.log.count();
    await tab.saveLogState(fence, 'own', ownOf(20, [[ROOM, 5]]));
    expect(await tab.database.log.count()).toBe(before);
    expect((await list()).reads).toEqual({ [ROOM]: at(5) });
  });

  it('are applied again, with all marks, after an update that supports more kinds of marks', async () => {
    const { tab, fence } = await prepare();
    await tab.append([began, received(at(4)), read(4)]);
    const unread = [`unread:${ROOM}`, { turn: 2, value: `${at(3)}.${at(4)}` }] as const;
    const state = { ...ownOf(20, [[ROOM, 4]]), marks: new Map([unread]) };
    // The previous version kept the mark, but recorded no fact.
    await tab.saveLogState(fence, 'own', NOTHING_KNOWN);
    const before = { ...(toStoredState(state) as object), kinds: 'read' };
    await tab.database.meta.put({ key: META.own, state: before, v: ROW_VERSION });
    expect(await tab.findLogState('own')).toEqual({ ok: true, value: NOTHING_KNOWN });
    await tab.saveLogState(fence, 'own', state);
    const model = unreadOf(tab.database);
    await untilPasses(() => expect(model.get()?.get(ROOM)?.first).toBe(at(4)));
    expect(await tab.findLogState('own')).toEqual({ ok: true, value: state });
  });

  it('are compared again with the user log of an engine whose log was replaced', async () => {
    const { tab, fence, list } = await prepare();
    await tab.saveLogState(fence, 'own', ownOf(20, [[ROOM, 5]]));
    await tab.forgetCoverage(fence);
    expect(await tab.findLogState('own')).toEqual({ ok: true, value: NOTHING_KNOWN });
    expect((await list()).reads).toEqual({ [ROOM]: at(5) });
  });

  it('are not written by a tab that no longer leads', async () => {
    const { tab, fence, list } = await prepare();
    await tab.takeFence('other', 2);
    expect(await tab.saveLogState(fence, 'own', ownOf(20, [[ROOM, 5]]))).toEqual({
      ok: false,
      error: { kind: 'fenced' },
    });
    expect((await list()).reads).toEqual({});
    expect(await tab.findLogState('own')).toEqual({ ok: true, value: NOTHING_KNOWN });
  });

  it.each([null, 'text', { marks: {} }, { marks: [['x', 'y']], sinceSnapshot: 0 }, { marks: [] }])(
    'are read again from the user log if the row is damaged: %j',
    async (state) => {
      const { tab } = await prepare();
      await tab.database.meta.put({ key: META.own, state, v: 2 });
      expect(await tab.findLogState('own')).toEqual({ ok: true, value: NOTHING_KNOWN });
    },
  );
});

describe('a mark', () => {
  const values = async (tab: UserStore, log: 'own' | 'staff') => {
    const listed = await tab.listLocalMarks(log, undefined);
    return listed.ok ? Object.fromEntries(listed.value.marks) : {};
  };

  it('is in the log for its kind, and begins a turn if it undoes another', async () => {
    const { tab } = await prepare();
    for (const place of [4, 6, 6, 3])
      await tab.recordMarks([{ kind: 'done', room: ROOM, value: at(place), back: false }]);
    await tab.recordMarks([{ kind: 'done', room: ROOM, value: at(5), back: true }]);
    await tab.recordMarks([{ kind: 'reminder', room: OTHER, value: `${at(9)}.${at(5)}` }]);
    await tab.recordMarks([{ kind: 'reminder', room: OTHER, value: '' }]);
    expect(await values(tab, 'staff')).toEqual({ [`done:${ROOM}`]: { turn: 1, value: at(5) } });
    expect(await values(tab, 'own')).toEqual({ [`reminder:${OTHER}`]: { turn: 1, value: '' } });
    expect(await tab.database.log.count()).toBe(5);
  });

  it('from a colleague is applied, unless a later one is stored here', async () => {
    const { tab, fence } = await prepare();
    await tab.recordMarks([{ kind: 'done', room: ROOM, value: at(6), back: false }]);
    const marks = new Map([
      [`done:${ROOM}`, { turn: 0, value: at(5) }],
      [`done:${OTHER}`, { turn: 2, value: at(3) }],
      [`starred:${OTHER}`, { turn: 0, value: 'of a later version' }],
    ]);
    const state = { upTo: at(20), marks, began: undefined, sinceSnapshot: 0 };
    expect(await tab.saveLogState(fence, 'staff', state)).toEqual({ ok: true, value: undefined });
    expect(await values(tab, 'staff')).toEqual({
      [`done:${ROOM}`]: { turn: 0, value: at(6) },
      [`done:${OTHER}`]: { turn: 2, value: at(3) },
    });
    // Marks that this version does not support are kept for a snapshot.
    expect(await tab.findLogState('staff')).toEqual({ ok: true, value: state });
    expect(await tab.findLogState('own')).toEqual({ ok: true, value: NOTHING_KNOWN });
  });

  it('survives a rebuild, and only the latest of its facts is kept', async () => {
    const { tab, fence } = await prepare();
    await tab.append([received(at(8))]);
    for (const place of [4, 6, 5, 7])
      await tab.recordMarks([{ kind: 'done', room: ROOM, value: at(place), back: true }]);
    await tab.recordMarks([{ kind: 'done', room: OTHER, value: at(2), back: false }]);
    const before = await values(tab, 'staff');
    await rebuildProjections(tab.database);
    await pruneHistory(tab.database, fence, 1);
    expect(await values(tab, 'staff')).toEqual(before);
    expect(before[`done:${ROOM}`]).toEqual({ turn: 1, value: at(7) });
    const facts = await tab.database.log.where('key').startsWith('mark|').count();
    expect(facts).toBe(2);
  });
});
