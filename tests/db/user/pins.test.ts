import 'fake-indexeddb/auto';

import { describe, expect, it, vi } from 'vitest';

import { openPinned } from '#db/hooks/use-layout.ts';
import { pruneHistory } from '#db/log/retention.ts';
import { listPinned } from '#db/user/layout.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { NOTHING_KNOWN, toStoredState } from '#domain/project/log-state.ts';
import type { Mark } from '#domain/schemas/marks.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

const mark = (turn: number, value: string): Mark => ({ turn, value });

const prepare = async () => {
  const device = createDevice();
  const tab = await device.openTab();
  const fence = await tab.takeFence('tab', 1);
  if (!fence.ok) throw new Error('no fence');
  /** Stores marks from the log, as if another device had made them. */
  const share = (marks: Readonly<Record<string, Mark>>) =>
    tab.saveLogState(fence.value, 'own', {
      ...NOTHING_KNOWN,
      upTo: at(9),
      marks: new Map(Object.entries(marks)),
    });
  return { device, tab, fence: fence.value, share };
};

const pin = (tab: UserStore, id: string, value = '1') =>
  tab.recordChoices(() => new Map([[`pinned:${id}`, value]]));

const list = async ({ database }: UserStore) => [...(await listPinned(database))];

/** The marks to be published in a log. */
const listLocalMarks = async (tab: UserStore, log: 'own' | 'staff') => {
  const listed = await tab.listLocalMarks(log, undefined);
  if (!listed.ok) throw new Error(listed.error.kind);
  return Object.fromEntries(listed.value.marks);
};

describe('a pinned client', () => {
  it('stays pinned across a restart until it is unpinned, and is recorded only in the user log', async () => {
    const { device, tab } = await prepare();
    for (const id of ['c_002', 'c_001', 'c_003']) await pin(tab, id);
    await pin(tab, 'c_001', '');
    const again = await device.openTab();
    expect(await list(again)).toEqual(['c_002', 'c_003']);
    expect(await listLocalMarks(again, 'own')).toEqual({
      'pinned:c_001': mark(2, ''),
      'pinned:c_002': mark(1, '1'),
      'pinned:c_003': mark(1, '1'),
    });
    expect(await listLocalMarks(again, 'staff')).toEqual({});
  });

  it('follows the user log; the later turn wins', async () => {
    const { tab, share } = await prepare();
    await pin(tab, 'c_001');
    await pin(tab, 'c_002');
    await share({
      'pinned:c_001': mark(4, ''),
      'pinned:c_002': mark(0, ''),
      'pinned:c_003': mark(12, '1'),
      'pinned:c_004': mark(3, 'a later version'),
      'pinned:c_005': mark(3, '1|1'),
    });
    expect(await list(tab)).toEqual(['c_002', 'c_003']);
    await share({ 'pinned:c_003': mark(100, '') });
    expect(await list(tab)).toEqual(['c_002']);
    // Pressing the button pins, whatever another device wrote.
    await pin(tab, 'c_005');
    expect(await list(tab)).toEqual(['c_002', 'c_005']);
  });

  it('reaches the lists only when a pin changes: 5,000 clients are not sorted again', async () => {
    const { tab, share } = await prepare();
    await pin(tab, 'c_001');
    const pinned = openPinned(tab.database);
    await untilPasses(() => expect(pinned.get()).toEqual(new Set(['c_001'])));
    const listener = vi.fn();
    pinned.watch(listener);
    await share({ 'pinned:c_001': mark(5, '1'), 'pinned:c_003': mark(2, '') });
    await pin(tab, 'c_002');
    await untilPasses(() => expect(pinned.get()).toEqual(new Set(['c_001', 'c_002'])));
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('keeps the latest of its marks in retention', async () => {
    const { tab, fence } = await prepare();
    for (const value of ['1', '', '1']) await pin(tab, 'c_001', value);
    await pruneHistory(tab.database, fence, 1_700_000_000_000);
    expect(await list(tab)).toEqual(['c_001']);
    expect(await tab.database.log.where('key').startsWith('mark|').count()).toBe(1);
  });

  it('is pinned by a pin alone, not by other marks', async () => {
    const { tab } = await prepare();
    await tab.recordChoices(() => new Map([['muted:c_001', '1']]));
    await tab.recordMarks([{ kind: 'done', room: ROOM, value: at(1) }]);
    expect(await list(tab)).toEqual([]);
  });

  it('is read from the log again if the previous version stored its mark without supporting it', async () => {
    const { tab } = await prepare();
    const marks = new Map([['pinned:c_001', mark(1, '1')]]);
    const stored = toStoredState({ ...NOTHING_KNOWN, upTo: at(9), marks });
    const kinds = 'read unread done reminder taken muted setting';
    await tab.database.meta.put({ key: 'own', state: { ...(stored as object), kinds }, v: 1 });
    const state = await tab.findLogState('own');
    expect(state).toEqual({ ok: true, value: NOTHING_KNOWN });
  });
});
