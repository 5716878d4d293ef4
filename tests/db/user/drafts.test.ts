import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import type { RoomKey } from '#domain/rooms.ts';
import { createDevice } from '#tests/support/device.ts';
import { discarded, at, published, queued } from '#tests/support/facts.ts';

import { writeFrozenUserV2 } from '../migration/frozen-user-v2.ts';

const TEAM: RoomKey = 'c_001/team';
const GENERAL: RoomKey = 'c_001/general';

const drafts = (entries: Partial<Record<RoomKey, string>>) =>
  new Map(Object.entries(entries) as [RoomKey, string][]);
const open = (...tabs: readonly string[]) => new Set(tabs);

describe('drafts', () => {
  it('move from a closed tab to the next one that starts, once', async () => {
    const store = await createDevice().openTab();
    await store.saveDrafts('a', drafts({ [TEAM]: 'half', [GENERAL]: 'a thought' }));
    expect(await store.takeDrafts('b', open('b'))).toEqual({
      ok: true,
      value: drafts({ [GENERAL]: 'a thought', [TEAM]: 'half' }),
    });
    expect(await store.takeDrafts('c', open('b', 'c'))).toEqual({ ok: true, value: new Map() });
    expect(await store.takeDrafts('b', open('b'))).toMatchObject({ value: { size: 2 } });
    expect(await store.takeDrafts('c', open('c'))).toMatchObject({ value: { size: 2 } });
  });

  it('are visible to other tabs, except blank ones', async () => {
    const store = await createDevice().openTab();
    await store.saveDrafts('a', drafts({ [TEAM]: ' ' }));
    expect(await store.findOtherDrafts('b')).toEqual({ ok: true, value: undefined });
    await store.saveDrafts('a', drafts({ [TEAM]: 'half' }));
    expect(await store.findOtherDrafts('a')).toEqual({ ok: true, value: undefined });
    const at = 1_700_000_000_000;
    expect(await store.findOtherDrafts('b')).toEqual({ ok: true, value: at });
  });

  it('stay with a tab that is open', async () => {
    const store = await createDevice().openTab();
    await store.saveDrafts('a', drafts({ [TEAM]: 'half' }));
    await store.saveDrafts('b', drafts({ [TEAM]: 'another' }));
    expect(await store.takeDrafts('c', open('a', 'c'))).toEqual({
      ok: true,
      value: drafts({ [TEAM]: 'another' }),
    });
  });

  it('are not restored once accepted, even if their tab crashed before it stored that', async () => {
    let now = 1_700_000_000_000;
    const device = createDevice({ now: () => now });
    const store = await device.openTab();
    await store.saveDrafts('a', drafts({ [TEAM]: 'accepted', [GENERAL]: 'accepted' }));
    now += 300;
    await store.append([queued('m1', { room: TEAM, text: 'accepted' })]);
    await store.append([published('m1', at(1))]);
    expect(await store.takeDrafts('b', open('b'))).toEqual({
      ok: true,
      value: drafts({ [GENERAL]: 'accepted' }),
    });
    // Stored once more while it was being accepted.
    await store.append([queued('m2', { room: GENERAL, text: 'accepted' })]);
    now += 300;
    await store.saveDrafts('b', drafts({ [GENERAL]: 'accepted' }));
    expect(await store.takeDrafts('c', open('c'))).toEqual({ ok: true, value: new Map() });
    expect(await store.database.drafts.count()).toBe(0);
    now += 60_000;
    await store.saveDrafts('c', drafts({ [GENERAL]: 'accepted' }));
    expect(await store.takeDrafts('d', open('d'))).toMatchObject({ value: { size: 1 } });
  });

  it('are restored if their message was accepted and then deleted', async () => {
    const store = await createDevice().openTab();
    let now = 1000;
    Object.assign(store.database.clock, { now: () => now });
    await store.append([queued('m1', { room: TEAM, text: 'not yet' }), discarded('m1', now)]);
    now += 1500;
    await store.saveDrafts('a', drafts({ [TEAM]: 'not yet' }));
    now += 3_600_000;
    expect(await store.takeDrafts('b', open('b'))).toMatchObject({
      value: drafts({ [TEAM]: 'not yet' }),
    });
  });

  it('match the current texts of the tab: sent and deleted ones are removed', async () => {
    const store = await createDevice().openTab();
    await store.saveDrafts('a', drafts({ [TEAM]: 'half', [GENERAL]: 'a thought' }));
    await store.saveDrafts('other', drafts({ [TEAM]: 'stays' }));
    await store.saveDrafts('a', drafts({ [GENERAL]: 'a thought!' }));
    const rows = await store.database.drafts.toArray();
    expect(rows.map(({ tab, texts }) => [tab, texts])).toEqual([
      ['a', [[GENERAL, 'a thought!']]],
      ['other', [[TEAM, 'stays']]],
    ]);
    await store.saveDrafts('a', drafts({}));
    expect(await store.database.drafts.count()).toBe(1);
  });

  it('are restored one after the other if two closed tabs had one in the same room', async () => {
    const device = createDevice();
    let now = 1;
    const store = await device.openTab();
    Object.assign(store.database.clock, { now: () => now });
    await store.saveDrafts('a', drafts({ [TEAM]: 'older' }));
    now = 2;
    await store.saveDrafts('b', drafts({ [TEAM]: 'newer' }));
    expect(await store.takeDrafts('c', open())).toMatchObject({
      value: drafts({ [TEAM]: 'newer' }),
    });
    await store.saveDrafts('c', drafts({}));
    expect(await store.takeDrafts('d', open())).toMatchObject({
      value: drafts({ [TEAM]: 'older' }),
    });
  });

  it('are kept if the clock was set back after another tab had stored one', async () => {
    let now = 3_600_000;
    const store = await createDevice({ now: () => now }).openTab();
    await store.saveDrafts('closed', drafts({ [TEAM]: 'theirs' }));
    now = 0;
    await store.saveDrafts('own', drafts({ [TEAM]: 'mine' }));
    expect(await store.takeDrafts('own', open('own'))).toMatchObject({
      value: drafts({ [TEAM]: 'mine' }),
    });
    await store.saveDrafts('own', drafts({}));
    expect(await store.takeDrafts('own', open('own'))).toMatchObject({
      value: drafts({ [TEAM]: 'theirs' }),
    });
  });

  it('do not affect others if they are unreadable, and are not deleted', async () => {
    const device = createDevice();
    await writeFrozenUserV2(device);
    const store = await device.openTab();
    const odd = { tab: 'odd', texts: 7 };
    await store.database.table<unknown>('drafts').add(odd);
    expect(await store.takeDrafts('c', open())).toEqual({
      ok: true,
      value: drafts({ [TEAM]: 'Half a thought' }),
    });
    expect(await store.database.table<unknown>('drafts').toArray()).toContainEqual(odd);
  });
});

describe('a store that is closed', () => {
  it('takes drafts again after another tab upgraded it, and none once it is gone', async () => {
    const store = await createDevice().openTab();
    store.database.close({ disableAutoOpen: false });
    expect(await store.saveDrafts('a', drafts({ [TEAM]: 'half' }))).toMatchObject({ ok: true });
    await store.database.delete();
    store.close();
    expect(await store.saveDrafts('a', drafts({ [TEAM]: 'half' }))).toMatchObject({ ok: false });
    expect(store.database.isOpen()).toBe(false);
  });
});
