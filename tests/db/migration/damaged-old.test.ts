import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { rebuildProjections, tryUpdate } from '#db/log/rebuild.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, published, queued, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { listStored } from '../dump.ts';
import { abortForQuota } from '../user/open-on-disk.ts';
import { openOldPage, toPosition, writeOldMessages } from './old-layout.ts';
import { readAll, writeProfile } from './old-profile.ts';
import { writeFrozenUserV3 } from './frozen-user-v3.ts';

describe('damage in data of an earlier version', () => {
  it('a rebuild that a full disk aborts hides no message', async () => {
    const device = createDevice();
    await writeProfile(device, 300);
    const db = device.openDatabase();
    await db.open();
    const before = await readAll(db);
    await db.meta.delete('projection');
    db.meta.hook('creating', abortForQuota);
    await expect(rebuildProjections(db)).rejects.toMatchObject({ name: 'QuotaExceededError' });
    expect(await db.messages.count()).toBe(300);
    expect(await readAll(db)).toEqual(before);
    db.end();
  });

  it('does not stop the rebuild for newer reducers', async () => {
    const device = createDevice();
    await writeFrozenUserV3(device);
    const old = await openOldPage(device);
    await old.table('messages').update(`${ROOM}|u_client|m1`, { text: 7 });
    old.close();
    const tab = await device.openTab();
    await untilPasses(async () => {
      expect(await tab.database.meta.get('projection')).toMatchObject({ version: 2 });
    });
    expect((await listStored(tab.database)).length).toBe(2);
    tab.close();
  });

  it('loses no message that the user sent and that was only acknowledged', async () => {
    const device = createDevice();
    const old = await openOldPage(device);
    await writeOldMessages(old, [
      { room: ROOM, places: [toPosition(5)], publisher: 'u_me', id: 'a', isOnlyAcknowledged: true },
    ]);
    await old.table('meta').put({ key: 'projection', version: 2, v: 1 });
    await old.table('messages').update(`${ROOM}|u_me|a`, { text: 7 });
    old.close();
    const db = device.openDatabase();
    await db.open();
    db.rebuilt = Promise.resolve();
    await tryUpdate(db);
    expect(await listStored(db)).toHaveLength(1);
    db.end();
  });

  it('a sent message under a damaged key does not stop a rebuild', async () => {
    const device = createDevice();
    const tab = await device.openTab();
    const db = tab.database;
    await tab.append([queued('a')]);
    await tab.append([published('a', at(1))]);
    const [row] = await db.entries.toArray();
    await db.entries.clear();
    if (row) await db.entries.put({ ...row, k: 'nowhere' });
    await rebuildProjections(db);
    expect((await listStored(db)).map(({ text }) => text)).toEqual(['text of a']);
    tab.close();
  });
});
