import 'fake-indexeddb/auto';

import { Dexie } from 'dexie';

import type { Device } from '#tests/support/device.ts';

import { writeFrozenUserV3 } from './frozen-user-v3.ts';

/**
 * A user's database exactly as version 4 wrote it: that of version 3, each message once. Frozen.
 */
export const writeFrozenUserV4 = async (device: Device): Promise<void> => {
  await writeFrozenUserV3(device);
  const db = new Dexie('replay-desk-user-u_me', device.options.indexedDB);
  db.version(4).stores({
    log: '++seq,&key',
    messages: 'key,[room+timetoken]',
    outbox: 'id,[room+seq],[state+room]',
    coverage: 'room',
    documents: 'key',
    meta: 'key',
    quarantine: '++id',
    drafts: 'tab',
    activity: 'room,[pending+newest]',
    entries: 'k,&f',
  });
  await db.open();
  const room = 'c_001/team';
  const [from, to] = ['00000000000000000', '17000000000000002'];
  await db.table('messages').clear();
  await db.table('log').where('key').startsWithAnyOf('received|', 'page|').delete();
  await db.table('log').add({
    key: `page|+${room}|${from}|${to}|0`,
    at: 1,
    fact: { type: 'v1.HistoryPageLoaded', room, from, to, reachedStart: false },
    v: 2,
  });
  await db.table('coverage').clear();
  await db
    .table('coverage')
    .add({ room: `+${room}`, ranges: [{ from, to }], reachedStart: true, v: 2 });
  await db.table('entries').bulkAdd([
    {
      k: `${room}|\u02e3\u16a3\u635d\u0101`,
      p: 'u_client',
      t: 'Is the cut ready?',
      n: 'Maya',
      v: 2,
    },
    {
      k: `${room}|\u02e3\u16a3\u635d\u0102`,
      f: `${room}|u_client|=m1`,
      t: 'Hello',
      n: 'Maya',
      v: 2,
    },
  ]);
  await db.table('meta').put({ key: 'projection', version: 2, v: 2 });
  db.close();
};
