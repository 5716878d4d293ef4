import 'fake-indexeddb/auto';

import { Dexie } from 'dexie';

import type { Device } from '#tests/support/device.ts';

/**
 * A user's database exactly as version 1 wrote it. Frozen: browsers still have it, however the
 * program changes. It does not refer to the current schema.
 */
export const writeFrozenUserV1 = async (device: Device): Promise<void> => {
  const db = new Dexie('replay-desk-user-u_me', device.options.indexedDB);
  db.version(1).stores({
    log: '++seq,&key',
    messages: 'key,[room+timetoken]',
    outbox: 'id,[room+seq],[state+room]',
    coverage: 'room',
    documents: 'key',
    meta: 'key',
    quarantine: '++id',
  });
  await db.open();
  const room = 'c_001/team';
  const page = { from: '17000000000000001', to: '17000000000000002' };
  const received = (timetoken: string, over: object) => ({
    key: `received|${room}|${timetoken}`,
    at: 1_700_000_000_100,
    v: 1,
    fact: {
      type: 'v1.MessageReceived',
      room,
      timetoken,
      publisher: 'u_client',
      text: 'Is the cut ready?',
      clientName: 'Maya',
      clientAvatar: '',
      via: 'history',
      ...over,
    },
  });
  const local = (key: string, fact: object) => ({ key, at: 1_700_000_000_200, v: 1, fact });
  const queued = { type: 'v1.MessageQueued', room, uid: 'u_me', at: 1_700_000_000_200 };
  await db.table('log').bulkAdd([
    received('17000000000000001', {}),
    received('17000000000000002', { id: 'm1', text: 'Hello' }),
    {
      ...local(`page|${room}|${page.from}|${page.to}|1`, {}),
      fact: {
        type: 'v1.HistoryPageLoaded',
        room,
        ...page,
        reachedStart: true,
      },
    },
    local('queued|o1', { ...queued, id: 'o1', text: 'On its way' }),
    local('queued|o2', { ...queued, id: 'o2', text: 'Refused' }),
    local('failed|o2|5', { type: 'v1.PublishFailed', id: 'o2', room, reason: 'No', at: 5 }),
  ]);
  const row = { room, publisher: 'u_client', kind: 'message', clientAvatar: '', v: 1 };
  await db.table('messages').bulkAdd([
    {
      ...row,
      key: `${room}|@17000000000000001`,
      timetoken: '17000000000000001',
      text: 'Is the cut ready?',
      clientName: 'Maya',
    },
    {
      ...row,
      key: `${room}|u_client|m1`,
      timetoken: '17000000000000002',
      text: 'Hello',
      clientName: 'Maya',
    },
  ]);
  const item = { room, uid: 'u_me', at: 1_700_000_000_200, v: 1 };
  await db.table('outbox').bulkAdd([
    { ...item, id: 'o1', seq: 4, text: 'On its way', state: 'queued' },
    { ...item, id: 'o2', seq: 5, text: 'Refused', state: 'failed', reason: 'No' },
  ]);
  await db.table('coverage').add({
    room,
    ranges: [{ from: '00000000000000000', to: page.to }],
    reachedStart: true,
    v: 1,
  });
  await db.table('documents').add({
    key: 'teams',
    value: [{ client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } }],
    fetchedAt: 1_700_000_000_000,
    v: 1,
  });
  await db.table('meta').bulkAdd([
    { key: 'projection', version: 1, v: 1 },
    { key: 'leader', fence: 7, tabId: 't', at: 1, link: { kind: 'online' }, v: 1 },
  ]);
  db.close();
};
