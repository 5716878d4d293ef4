import 'fake-indexeddb/auto';

import { Dexie } from 'dexie';

import type { Device } from '#tests/support/device.ts';

/**
 * A user's database as version 3 wrote it, and as its pages still write it: every received message
 * as a fact of the log and as a row of `messages`. It does not refer to the current schema.
 */

/** Opens the database as a page of version 3 does. */
export const openOldPage = async (device: Device): Promise<Dexie> => {
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
  return db;
};

/** A position in a room's log. */
export const toPosition = (n: number): string => String(17_000_000_000_000_000n + BigInt(n) * 10n);

/** A message, received unless it was only acknowledged. */
export interface OldMessage {
  readonly room: string;
  /** Its positions; the first one is shown. */
  readonly places: readonly string[];
  readonly publisher: string;
  readonly id?: string;
  readonly isOnlyAcknowledged?: boolean;
}

const toText = ({ places, id }: OldMessage): string => `text ${id ?? ''} at ${places[0]}`;
const toKey = ({ room, places, publisher, id }: OldMessage): string =>
  id === undefined ? `${room}|@${places[0]}` : `${room}|${publisher}|${id}`;

const toOldRow = (message: OldMessage) => ({
  key: toKey(message),
  room: message.room,
  timetoken: message.places[0],
  publisher: message.publisher,
  kind: 'message',
  text: toText(message),
  clientName: 'Maya',
  clientAvatar: '',
  v: 1,
});

const toOldFacts = (message: OldMessage) =>
  message.places.map((timetoken) => ({
    key: `received|${message.room}|${timetoken}`,
    at: 1,
    v: 1,
    fact: {
      type: 'v1.MessageReceived',
      room: message.room,
      timetoken,
      publisher: message.publisher,
      ...(message.id !== undefined && { id: message.id }),
      text: toText(message),
      clientName: 'Maya',
      clientAvatar: '',
      via: 'live',
    },
  }));

const toOwnFacts = (message: OldMessage) => {
  const { room, id, publisher: uid, places } = message;
  if (uid !== 'u_me' || id === undefined) return [];
  const queued = { type: 'v1.MessageQueued', id, room, uid, text: toText(message), at: 1 };
  const published = { type: 'v1.MessagePublished', id, room, uid, timetoken: places[0] };
  return [
    { key: `queued|${id}`, at: 1, v: 1, fact: queued },
    { key: `published|${id}|${places[0]}`, at: 1, v: 1, fact: published },
  ];
};

/** Stores messages as a page of version 3 does. */
export const writeOldMessages = async (
  db: Dexie,
  messages: readonly OldMessage[],
): Promise<void> => {
  const received = messages.filter(({ isOnlyAcknowledged }) => isOnlyAcknowledged !== true);
  await db.table('log').bulkAdd([...messages.flatMap(toOwnFacts), ...received.flatMap(toOldFacts)]);
  await db.table('messages').bulkPut(messages.map(toOldRow));
};

/** Stores that a room is covered between two positions, as a page of version 3 does. */
export const writeOldCoverage = async (
  db: Dexie,
  room: string,
  from: string,
  to: string,
): Promise<void> => {
  const fact = { type: 'v1.HistoryPageLoaded', room, from, to, reachedStart: false };
  await db.table('log').add({ key: `page|${room}|${from}|${to}|0`, at: 1, v: 1, fact });
  await db.table('coverage').put({ room, ranges: [{ from, to }], reachedStart: false, v: 1 });
};

/** The messages of a room, and the coverage, as a page of version 3 reads them. */
export const readAsOldPage = async (db: Dexie, room: string) => {
  const rows: readonly { readonly timetoken: string }[] = await db
    .table('messages')
    .where('[room+timetoken]')
    .between([room, ''], [room, '~'])
    .toArray();
  const coverage: { readonly ranges: readonly { from: string; to: string }[] } | undefined =
    await db.table('coverage').get(room);
  const log: readonly { fact: { after?: string; to?: string } }[] = await db
    .table('log')
    .where('key')
    .startsWith('page|*|')
    .toArray();
  const segments = log.map(({ fact: { after = '', to = '~' } }) => ({ from: after, to }));
  return {
    places: rows.map(({ timetoken }) => timetoken),
    complete: [...(coverage?.ranges ?? []), ...segments],
  };
};
