import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import type { RoomKey } from '#domain/rooms.ts';
import { createDevice } from '#tests/support/device.ts';

import { writeFrozenUserV2 } from './frozen-user-v2.ts';

const TEAM: RoomKey = 'c_001/team';
const GENERAL: RoomKey = 'c_001/general';

const drafts = (entries: Partial<Record<RoomKey, string>>) =>
  new Map(Object.entries(entries) as [RoomKey, string][]);
const open = (...tabs: readonly string[]) => new Set(tabs);

describe('drafts', () => {
  it('go from a tab that is gone to the next one that starts, once', async () => {
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

  it('stay with a tab that is open', async () => {
    const store = await createDevice().openTab();
    await store.saveDrafts('a', drafts({ [TEAM]: 'half' }));
    await store.saveDrafts('b', drafts({ [TEAM]: 'another' }));
    expect(await store.takeDrafts('c', open('a', 'c'))).toEqual({
      ok: true,
      value: drafts({ [TEAM]: 'another' }),
    });
  });

  it('are what the tab holds now: what was sent or deleted goes', async () => {
    const store = await createDevice().openTab();
    await store.saveDrafts('a', drafts({ [TEAM]: 'half', [GENERAL]: 'a thought' }));
    await store.saveDrafts('other', drafts({ [TEAM]: 'stays' }));
    await store.saveDrafts('a', drafts({ [GENERAL]: 'a thought!' }));
    const rows = await store.database.drafts.toArray();
    expect(rows.map(({ tab, room, text }) => [tab, room, text])).toEqual([
      ['a', GENERAL, 'a thought!'],
      ['other', TEAM, 'stays'],
    ]);
  });

  it('of two tabs that are gone in one room come one after the other', async () => {
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

  it('that nobody can read harm no other, and are not thrown away', async () => {
    const device = createDevice();
    await writeFrozenUserV2(device);
    const store = await device.openTab();
    const odd = { tab: 'odd', room: 'nowhere', text: 7 };
    await store.database.table<unknown>('drafts').add(odd);
    expect(await store.takeDrafts('c', open())).toEqual({
      ok: true,
      value: drafts({ [TEAM]: 'Half a thought' }),
    });
    expect(await store.database.table<unknown>('drafts').toArray()).toContainEqual(odd);
  });
});
