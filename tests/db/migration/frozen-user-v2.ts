import 'fake-indexeddb/auto';

import { Dexie } from 'dexie';

import type { Device } from '#tests/support/device.ts';

import { writeFrozenUserV1 } from './frozen-user-v1.ts';

/** A user's database exactly as version 2 wrote it: the rows of version 1, and a draft. Frozen. */
export const writeFrozenUserV2 = async (device: Device): Promise<void> => {
  await writeFrozenUserV1(device);
  const db = new Dexie('replay-desk-user-u_me', device.options.indexedDB);
  db.version(2).stores({
    log: '++seq,&key',
    messages: 'key,[room+timetoken]',
    outbox: 'id,[room+seq],[state+room]',
    coverage: 'room',
    documents: 'key',
    meta: 'key',
    quarantine: '++id',
    drafts: 'tab',
  });
  await db.open();
  const texts = [['c_001/team', 'Half a thought']];
  await db.table('drafts').add({ tab: 'gone', texts, at: 1, v: 1 });
  db.close();
};
