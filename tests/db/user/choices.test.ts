import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { pruneHistory } from '#db/log/retention.ts';
import { META, ROW_VERSION } from '#db/schema/tables.ts';
import { listChoices } from '#db/user/choices.ts';
import { findInboxChoice } from '#db/user/layout.ts';
import { changeNotificationChoice, findNotificationChoice } from '#db/user/notifications.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { NOTHING_KNOWN } from '#domain/project/log-state.ts';
import { FIRST_DASHBOARD_CHOICE } from '#domain/schemas/dashboard.ts';
import type { Mark } from '#domain/schemas/marks.ts';
import { DEFAULT_NOTIFICATIONS } from '#domain/schemas/notification.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, received, ROOM } from '#tests/support/facts.ts';

/** The marks to be published in the user log, except read positions. */
const listLocalMarks = async (tab: UserStore): Promise<Readonly<Record<string, Mark>>> => {
  const listed = await tab.listLocalMarks('own', undefined);
  if (!listed.ok) throw new Error(listed.error.kind);
  return Object.fromEntries(listed.value.marks);
};

/** Stores marks from the log, as if another device had recorded them. */
const share = async (tab: UserStore, marks: Readonly<Record<string, Mark>>): Promise<number> => {
  const fence = await tab.takeFence('tab', 1);
  if (!fence.ok) throw new Error('no fence');
  const state = { ...NOTHING_KNOWN, upTo: at(9), marks: new Map(Object.entries(marks)) };
  expect((await tab.saveLogState(fence.value, 'own', state)).ok).toBe(true);
  return fence.value;
};

const prepare = async () => {
  const device = createDevice();
  return { device, tab: await device.openTab() };
};

/** Stores choices that are shared now as the previous version stored them. */
const storeAsBefore = async ({ database }: UserStore): Promise<void> => {
  const choice = {
    ...DEFAULT_NOTIFICATIONS,
    isOn: true,
    showsText: false,
    hasSound: true,
    quiet: { from: 1320, to: 420 },
    mutedRooms: [ROOM],
    mutedClients: ['c_002'],
  };
  const hours = { from: 480, to: 1020, weekdays: [1, 2] };
  await database.meta.bulkPut([
    { key: META.notifications, choice, v: ROW_VERSION },
    { key: META.inbox, filter: 'unread', order: 'name', v: ROW_VERSION },
    {
      key: META.dashboard,
      choice: { ...FIRST_DASHBOARD_CHOICE, days: 30, hours, isWithinHours: true },
      v: ROW_VERSION,
    },
  ]);
};

describe('a choice made on a device of the previous version', () => {
  it('still holds, and is shared', async () => {
    const { tab } = await prepare();
    await storeAsBefore(tab);
    expect(await findNotificationChoice(tab.database)).toEqual({
      isOn: true,
      showsText: false,
      hasSound: true,
      quiet: { from: 1320, to: 420 },
      mutedRooms: [ROOM],
      mutedClients: ['c_002'],
    });
    expect(await findInboxChoice(tab.database)).toEqual({ filter: 'unread', order: 'name' });
    const first = (value: string) => ({ turn: 0, value });
    expect(await listLocalMarks(tab)).toEqual({
      'setting:sound': first('1'),
      'setting:quiet': first('1320.420'),
      [`muted:${ROOM}`]: first('1'),
      'muted:c_002': first('1'),
      'setting:order': first('name'),
      'setting:hours': first('480.1020.12'),
      'setting:hours-only': first('1'),
    });
  });

  it('can be undone, and does not return', async () => {
    const { device, tab } = await prepare();
    await storeAsBefore(tab);
    await changeNotificationChoice(tab, (before) => ({
      ...before,
      hasSound: false,
      isOn: false,
      mutedClients: [],
    }));
    await tab.saveInboxChoice({ order: 'activity' });
    const again = await device.openTab();
    expect(await findNotificationChoice(again.database)).toMatchObject({
      isOn: false,
      showsText: false,
      hasSound: false,
      mutedClients: [],
      mutedRooms: [ROOM],
    });
    expect(await findInboxChoice(again.database)).toEqual({
      filter: 'unread',
      order: 'activity',
    });
    expect(await listLocalMarks(again)).toMatchObject({
      'setting:sound': { turn: 1, value: '' },
      'muted:c_002': { turn: 1, value: '' },
      'setting:order': { turn: 1, value: '' },
    });
  });

  it('leaves the rows unchanged, because a page of that version may be open, too', async () => {
    const { tab } = await prepare();
    await storeAsBefore(tab);
    const keys = [META.notifications, META.inbox];
    const [, inbox] = await tab.database.meta.bulkGet(keys);
    await changeNotificationChoice(tab, (before) => ({ ...before, hasSound: false, isOn: false }));
    await tab.saveInboxChoice({ filter: 'all', order: 'activity' });
    const [choice, inboxChoice] = await tab.database.meta.bulkGet(keys);
    expect(choice).toMatchObject({ choice: { isOn: false, hasSound: true, mutedRooms: [ROOM] } });
    expect(inboxChoice).toEqual({ ...inbox, filter: 'all' });
  });

  it('gives way to a later choice of another device', async () => {
    const { tab } = await prepare();
    await storeAsBefore(tab);
    await share(tab, {
      'setting:sound': { turn: 1, value: '' },
      'muted:c_002': { turn: 2, value: '' },
      'muted:c_003': { turn: 0, value: '1' },
      'setting:order': { turn: 1, value: '' },
    });
    expect(await findNotificationChoice(tab.database)).toMatchObject({
      hasSound: false,
      mutedRooms: [ROOM],
      mutedClients: ['c_003'],
    });
    expect((await findInboxChoice(tab.database)).order).toBe('activity');
  });
});

describe('a choice', () => {
  it('from another device applies here; unreadable values are ignored', async () => {
    const { tab } = await prepare();
    await share(tab, {
      'setting:order': { turn: 3, value: 'name' },
      'setting:quiet': { turn: 1, value: 'tonight' },
      'setting:of-a-later-version': { turn: 1, value: 'x' },
      'muted:c_004': { turn: 1, value: '1' },
    });
    expect((await findInboxChoice(tab.database)).order).toBe('name');
    const choice = await findNotificationChoice(tab.database);
    expect(choice.quiet).toBeUndefined();
    expect(choice.mutedClients).toEqual(['c_004']);
    expect(await listLocalMarks(tab)).toHaveProperty(['setting:of-a-later-version']);
  });

  it('has its last value when changed several times in quick succession', async () => {
    const { tab } = await prepare();
    const mute = (value: string) => tab.recordChoices(() => new Map([['muted:c_001', value]]));
    await Promise.all([mute('1'), mute(''), mute('1'), mute('')]);
    expect((await listChoices(tab.database)).get('muted:c_001')).toBe('');
    expect(await listLocalMarks(tab)).toEqual({ 'muted:c_001': { turn: 4, value: '' } });
  });

  it('survives retention, which keeps only its latest mark', async () => {
    const { tab } = await prepare();
    for (const value of ['1', '', '1'])
      await tab.recordChoices(() => new Map([['muted:c_001', value]]));
    await tab.recordChoices(() => new Map([['setting:sound', '1']]));
    const fence = await share(tab, {});
    await pruneHistory(tab.database, fence, 1_700_000_000_000);
    expect(await listLocalMarks(tab)).toEqual({
      'muted:c_001': { turn: 3, value: '1' },
      'setting:sound': { turn: 1, value: '1' },
    });
    expect(await tab.database.log.where('key').startsWith('mark|').count()).toBe(2);
  });

  it('has a known kind, or is not recorded', async () => {
    const { tab } = await prepare();
    await tab.recordChoices(
      () =>
        new Map([
          ['starred:c_001', '1'],
          [`done:${ROOM}`, at(1)],
        ]),
    );
    expect(await listLocalMarks(tab)).toEqual({});
  });

  it('is not lost when another part of the same setting is chosen at the same moment', async () => {
    const { device, tab } = await prepare();
    const other = await device.openTab();
    await changeNotificationChoice(tab, (now) => ({ ...now, quiet: { from: 100, to: 200 } }));
    await Promise.all([
      changeNotificationChoice(tab, (now) => ({
        ...now,
        quiet: { to: 0, ...now.quiet, from: 111 },
      })),
      changeNotificationChoice(other, (now) => ({
        ...now,
        quiet: { from: 0, ...now.quiet, to: 222 },
      })),
    ]);
    const { quiet } = await findNotificationChoice(tab.database);
    expect(quiet).toEqual({ from: 111, to: 222 });
  });

  it('deletes no history on a full disk', async () => {
    const { tab } = await prepare();
    const { database } = tab;
    for (let n = 1; n <= 60; n += 1) await tab.append([received(at(n))]);
    let isFull = true;
    database.log.hook('creating', () => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError');
    });
    database.entries.hook('deleting', () => {
      isFull = false;
    });
    expect(await tab.saveInboxChoice({ order: 'name' })).toMatchObject({ ok: false });
    expect(await database.entries.count()).toBe(60);
  });
});

describe('two marks that two tabs record about one room at once', () => {
  it('are stored one after the other: a Done after an Undo holds', async () => {
    const { device, tab } = await prepare();
    const other = await device.openTab();
    await tab.recordMarks([{ kind: 'done', room: ROOM, value: at(5) }]);
    await Promise.all([
      tab.recordMarks([{ kind: 'done', room: ROOM, value: at(4), back: true }]),
      other.recordMarks([{ kind: 'done', room: ROOM, value: at(8) }]),
    ]);
    const listed = await tab.listLocalMarks('staff', undefined);
    expect(listed.ok && listed.value.marks.get(`done:${ROOM}`)?.value).toBe(at(8));
  });
});
