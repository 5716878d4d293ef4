import 'fake-indexeddb/auto';

import { expect, it } from 'vitest';

import {
  readMessages,
  type ScannedMessage,
  scanMessages,
  watchMessages,
} from '#db/read/scan-messages.ts';
import { toPositionKey } from '#db/facts/entry-row.ts';
import { openUserStore, type UserStore } from '#db/user/user-store.ts';
import { toMessageKey } from '#domain/project/rows.ts';
import { toRoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { at, received, ROOM } from '#tests/support/facts.ts';

const OTHER = toRoomKey('c_002', 'general');

const open = async (uid: string): Promise<UserStore> => {
  const opened = await openUserStore(uid);
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
};

const scan = async (name: string): Promise<readonly (readonly ScannedMessage[])[]> => {
  const rooms: (readonly ScannedMessage[])[] = [];
  await scanMessages(name, (messages) => rooms.push(messages));
  return rooms;
};
const toTexts = (messages: readonly ScannedMessage[]) => messages.map(({ text }) => text);

it('reads all messages, room by room, those with the newest messages first', async () => {
  const store = await open('u_scan');
  const { name } = store.database;
  expect(await scan(name)).toEqual([]);
  await store.append([
    received(at(1), { text: 'a1' }),
    received(at(9), { room: OTHER, text: 'b9' }),
    received(at(5), { text: 'a5' }),
    received(at(2), { room: OTHER, text: 'b2' }),
  ]);
  await store.database.messages.put({ key: 'broken', room: ROOM, timetoken: at(3) } as never);
  await store.database.entries.put({ k: toPositionKey(ROOM, at(4)), v: 1 });
  const rooms = await scan(name);
  expect(rooms.map(toTexts)).toEqual([
    ['b2', 'b9'],
    ['a1', 'a5'],
  ]);
  const keys = rooms.flat().map(({ key }) => key);
  expect(toTexts(await readMessages(name, [...keys.slice(1, 3), 'unknown', 'broken']))).toEqual([
    'b9',
    'a1',
  ]);
  store.close();
});

it('reads more rooms than it requests at a time, each once', async () => {
  const store = await open('u_rooms');
  const rooms = Array.from({ length: 50 }, (_, n) => toRoomKey(`c_${n}`, 'team'));
  await store.append(rooms.map((room, n) => received(at(n + 1), { room, text: `text ${n}` })));
  const texts = rooms.map((_, n) => `text ${n}`);
  expect((await scan(store.database.name)).flatMap(toTexts)).toEqual(texts.toReversed());
  store.close();
});

it('reads messages without a text, each once, also from the table of earlier versions', async () => {
  const store = await open('u_unreadable');
  const { name } = store.database;
  const raw = { type: 'v1.UnreadableReceived', via: 'live', raw: '{"file":1}' } as const;
  const publisher = 'client:c_001';
  await store.append([
    received(at(1), { text: 'a1' }),
    { ...raw, room: ROOM, timetoken: at(2), publisher },
  ]);
  const toOld = (timetoken: Timetoken) => ({
    key: toMessageKey(ROOM, publisher, undefined, timetoken),
    room: ROOM,
    timetoken,
    publisher,
    kind: 'unreadable',
    text: '{}',
    clientName: '',
    clientAvatar: '',
  });
  await store.database.messages.bulkPut([toOld(at(2)), toOld(at(3))] as never);
  const [found = []] = await scan(name);
  expect(found.map(({ timetoken, text }) => [timetoken, text])).toEqual([
    [at(1), 'a1'],
    [at(2), undefined],
    [at(3), undefined],
  ]);
  const keys = found.slice(1).map(({ key }) => key);
  expect(await readMessages(name, keys)).toMatchObject([
    { publisher, text: undefined },
    { publisher, text: undefined },
  ]);
  store.close();
});

it('does not create a database that was deleted', async () => {
  expect(await scan('replay-desk-user-u_gone')).toEqual([]);
  expect(await readMessages('replay-desk-user-u_gone', ['a'])).toEqual([]);
  const names = (await indexedDB.databases()).map(({ name }) => name);
  expect(names).not.toContain('replay-desk-user-u_gone');
});

it('reports the keys of messages that a commit changed', async () => {
  const store = await open('u_watch');
  const seen: unknown[] = [];
  const stop = watchMessages(store.database, (changed) => seen.push(changed));
  await store.append([received(at(1), { text: 'new' })]);
  expect(seen).toHaveLength(1);
  const [keys] = seen;
  if (!Array.isArray(keys)) throw new Error('no keys');
  expect(toTexts(await readMessages(store.database.name, keys))).toEqual(['new']);
  stop();
  store.close();
});
