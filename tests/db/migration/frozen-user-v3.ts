import 'fake-indexeddb/auto';

import { Dexie } from 'dexie';

import type { Device } from '#tests/support/device.ts';

import { writeFrozenUserV2 } from './frozen-user-v2.ts';

/**
 * A user's database exactly as version 3 wrote it: that of version 2, and read positions. Frozen.
 */
export const writeFrozenUserV3 = async (device: Device): Promise<void> => {
  await writeFrozenUserV2(device);
  const db = new Dexie('replay-desk-user-u_me', device.options.indexedDB);
  db.version(3).stores({
    log: '++seq,&key',
    messages: 'key,[room+timetoken]',
    outbox: 'id,[room+seq],[state+room]',
    coverage: 'room',
    documents: 'key',
    meta: 'key',
    quarantine: '++id',
    drafts: 'tab',
    activity: 'room,[pending+newest]',
  });
  await db.open();
  const timetoken = '16000000000000000';
  const fact = { type: 'v1.ReadingBegan', timetoken };
  await db.table('log').add({ key: 'began', at: 1, fact, v: 1 });
  const row = { room: '*', newest: '00000000000000000', readUpTo: timetoken, pending: 0, v: 1 };
  await db.table('activity').add(row);
  db.close();
};
