import { Dexie } from 'dexie';

import { OLD_PREFIXES } from '#domain/envelope.ts';
import { type Received, toReceivedRow } from '#domain/project/received.ts';
import type { MessageRow } from '#domain/project/rows.ts';
import { parseMessageRow } from '#domain/project/row-schemas.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { nextTimetoken, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { storeAcknowledged, storeReceived, toReceivedFact } from '../facts/store-received.ts';
import { afterAll, type Entry, toIdentity } from '../facts/entry-row.ts';
import { findEntries, toFound } from '../facts/find-entries.ts';
import { oldRowsIn } from '../facts/load-messages.ts';
import { toKnownEnvelopes } from '../facts/log-facts.ts';
import type { UserDatabase } from '../schema/database.ts';
import { MOVE_CHUNK_SIZE } from '../schema/limits.ts';
import { hasRows, isFromNewerVersion, readRows } from '../schema/readable.ts';
import { write } from '../schema/write.ts';
import { findLeader } from './fence.ts';
import { listKeyRooms } from './room-facts.ts';
import { rewritePages, saveSegments } from './save-coverage.ts';
import { listSegments } from './segments.ts';

/**
 * Moves data that earlier versions stored: a received message was a fact of the log and a row of
 * `messages`. Coverage moves before the messages that it covers, so that a page of an earlier
 * version reads a room's history again and shows no gaps. Every step is a separate transaction, or
 * part of the caller's; a later run finds the remaining data.
 */

/** Runs a step; the default is a short transaction. */
type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** The outcome of a step: where the next one continues, and whether a row was unreadable. */
interface Step<T> {
  readonly next: T | undefined;
  readonly isDamaged: boolean;
}

/** Stores rows without a received fact at their position: acknowledged messages of the user. */
const placeRows = async (db: UserDatabase, rows: readonly MessageRow[]): Promise<void> => {
  const isOwn = ({ publisher, key }: MessageRow): boolean =>
    publisher === db.uid && toIdentity(key) !== undefined;
  const own = rows.filter(isOwn);
  const stored = await findEntries(
    db,
    own.map(({ key }) => key),
  );
  const acknowledged = own.flatMap(
    (row, i): readonly { row: MessageRow; before: Entry | undefined }[] => {
      const known = stored[i];
      const found = known && toFound(known);
      if (found === undefined) return [{ row, before: undefined }];
      if (found.kind === 'unreadable' || found.entry.row.timetoken <= row.timetoken) return [];
      return [{ row, before: found.entry }];
    },
  );
  await storeAcknowledged(db, acknowledged);
  const others = rows.filter((row) => !isOwn(row));
  await storeReceived(
    db,
    others.flatMap((row) => toReceivedFact({ k: '', row, isEcholess: false }) ?? []),
  );
};

const isDamaged = (row: object): boolean => !isFromNewerVersion(row) && !parseMessageRow(row).ok;

/**
 * Deletes rows of `messages`, except those of a newer version. Damaged rows are deleted only
 * together with a rebuild: a message that was only acknowledged is stored nowhere else.
 */
const deleteRows = (
  { messages }: UserDatabase,
  rows: readonly (object | undefined)[],
  isRebuilt: boolean,
): PromiseLike<void> => {
  const isKept = (row: object): boolean =>
    isFromNewerVersion(row) || (!isRebuilt && isDamaged(row));
  return messages.bulkDelete(
    rows.flatMap((row) => (row === undefined || isKept(row) ? [] : [Reflect.get(row, 'key')])),
  );
};

/** Moves a chunk of a room's received facts, starting after a key. */
const moveFacts = async (
  db: UserDatabase,
  room: RoomKey,
  after: string,
  isRebuilt: boolean,
): Promise<Step<string>> => {
  const end = afterAll(`${OLD_PREFIXES.received}${room}|`);
  const logged = db.log.where('key').between(after, end, false, true);
  const stored = await logged.limit(MOVE_CHUNK_SIZE).toArray();
  const facts = toKnownEnvelopes(stored).flatMap(({ seq, fact }) =>
    'publisher' in fact ? [{ seq, fact }] : [],
  );
  // In position order.
  const firsts = new Map<string, Received>();
  for (const { fact } of facts) {
    const { key } = toReceivedRow(fact);
    if (!firsts.has(key)) firsts.set(key, fact);
  }
  const rows = await db.messages.bulkGet([...firsts.keys()]);
  // A row before all its received copies has the position that the engine acknowledged.
  const earlier = readRows(parseMessageRow, rows).rows.filter(
    ({ key, timetoken }) => timetoken < (firsts.get(key)?.timetoken ?? timetoken),
  );
  await placeRows(db, earlier);
  await storeReceived(
    db,
    facts.map(({ fact }) => fact),
  );
  await db.log.bulkDelete(facts.map(({ seq }) => seq));
  await deleteRows(db, rows, isRebuilt);
  // A damaged row may have had a different position than its facts.
  const isSomeDamaged = rows.some((row) => row !== undefined && isDamaged(row));
  const next = stored.length < MOVE_CHUNK_SIZE ? undefined : stored.at(-1)?.key;
  return { next, isDamaged: isSomeDamaged };
};

/** Moves a chunk of a room's rows, starting at a position. */
const moveRows = async (
  db: UserDatabase,
  room: RoomKey,
  from: Timetoken,
  isRebuilt: boolean,
): Promise<Step<Timetoken>> => {
  const stored = await oldRowsIn(db, room, { from }).limit(MOVE_CHUNK_SIZE).toArray();
  await placeRows(db, readRows(parseMessageRow, stored).rows);
  await deleteRows(db, stored, isRebuilt);
  const last = stored.at(-1);
  const isEnd = last === undefined || stored.length < MOVE_CHUNK_SIZE;
  const next = isEnd ? undefined : nextTimetoken(last.timetoken);
  return { next, isDamaged: stored.some(isDamaged) };
};

/** Moves one room; the value is whether a row was unreadable. */
const moveRoom = async (
  db: UserDatabase,
  room: RoomKey,
  run: Run,
  isRebuilt: boolean,
): Promise<boolean> => {
  let isSomeDamaged = false;
  for (let after: string | undefined = `${OLD_PREFIXES.received}${room}|`; after !== undefined;) {
    const start: string = after;
    const step: Step<string> = await run(async () => {
      await rewritePages(db, room);
      return moveFacts(db, room, start, isRebuilt);
    });
    isSomeDamaged ||= step.isDamaged;
    after = step.next;
  }
  for (let from: Timetoken | undefined = TIMETOKEN_ZERO; from !== undefined;) {
    const start: Timetoken = from;
    const step: Step<Timetoken> = await run(() => moveRows(db, room, start, isRebuilt));
    isSomeDamaged ||= step.isDamaged;
    from = step.next;
  }
  return isSomeDamaged;
};

const listRowRooms = async ({ messages }: UserDatabase): Promise<readonly RoomKey[]> => {
  const rooms: RoomKey[] = [];
  for (let after: readonly unknown[] = ['']; ;) {
    const [key]: readonly unknown[] = await messages
      .where('[room+timetoken]')
      .above(after)
      .limit(1)
      .keys();
    const room: unknown = Array.isArray(key) ? key[0] : undefined;
    if (room === undefined) return rooms;
    if (isRoomKey(room)) rooms.push(room);
    // After every position of the room.
    after = [room, []];
  }
};

const listOldRooms = async (db: UserDatabase): Promise<readonly RoomKey[]> => {
  const covered: readonly unknown[] = await db.coverage.toCollection().primaryKeys();
  const rooms = await Promise.all([
    listKeyRooms(db.log.where('key'), OLD_PREFIXES.received),
    listRowRooms(db),
  ]);
  return [...new Set([...rooms.flat(), ...covered.filter(isRoomKey)])].toSorted();
};

/**
 * Moves everything; with `isRebuilt`, as part of the caller's transaction, which rebuilds the
 * tables. The value is whether a row was unreadable: without a rebuild, that row remains.
 */
export const moveOld = async (
  db: UserDatabase,
  run: Run = (work) => write(db, db.logged, work, 'relaxed'),
  isRebuilt = false,
): Promise<boolean> => {
  await run(async () => saveSegments(db, await listSegments(db, await findLeader(db))));
  let isSomeDamaged = false;
  for (const room of await listOldRooms(db)) {
    isSomeDamaged = (await moveRoom(db, room, run, isRebuilt)) || isSomeDamaged;
  }
  const { oldChanges } = db;
  const isLeft = await run(async () => {
    // Rows that lost their room or position belong to no room any more.
    const lost = (await db.messages.toArray()).filter(isDamaged);
    await deleteRows(db, lost, isRebuilt);
    isSomeDamaged ||= lost.length > 0;
    return hasRows(db.messages);
  });
  const note = (): void => {
    // Data that an older page stored meanwhile is checked separately.
    if (db.oldChanges === oldChanges) db.hasOld = isLeft;
  };
  // An aborted rebuild leaves everything where it was.
  if (isRebuilt) Dexie.currentTransaction.on('complete', note);
  else note();
  return isSomeDamaged;
};
