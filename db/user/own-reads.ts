import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { ReadHere } from '#domain/ports/storage.ts';
import { parseRoomActivity } from '#domain/project/row-schemas.ts';
import { ok, type Result } from '#domain/result.ts';
import { ALL_ROOMS, isRoomKey, type RoomKey } from '#domain/rooms.ts';
import {
  findNewReads,
  NO_OWN_READS,
  type OwnReads,
  parseOwnReads,
  type Reads,
} from '#domain/project/own-reads.ts';
import { laterOf, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { appendFacts } from '../log/event-log.ts';
import { mustHoldFence } from '../log/fence.ts';
import { toKnownEnvelopes } from '../facts/log-facts.ts';
import type { UserDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';
import { attempt } from '../schema/storage-errors.ts';
import { META, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** See `Store.findOwnReads`. What cannot be read is read again from the own log. */
export const findOwnReads = async (db: UserDatabase): Promise<OwnReads> => {
  const row = await db.meta.get(META.own);
  return parseOwnReads(row?.key === META.own ? row.own : undefined) ?? NO_OWN_READS;
};

/** The newest number of a fact. */
const findLast = async ({ log }: UserDatabase): Promise<number> => {
  const [last] = await log.orderBy(':id').reverse().limit(1).primaryKeys();
  return last ?? 0;
};

/** What is known of all rooms; the facts may be many more. */
const listAll = async (db: UserDatabase): Promise<ReadHere> => {
  const [last, stored] = await Promise.all([findLast(db), db.activity.toArray()]);
  const reads = new Map<RoomKey, Timetoken>();
  let began: Timetoken | undefined;
  for (const { room, readUpTo } of readRows(parseRoomActivity, stored).rows) {
    if (room === ALL_ROOMS) began = readUpTo;
    else if (isRoomKey(room) && readUpTo > TIMETOKEN_ZERO) reads.set(room, readUpTo);
  }
  return { reads, began, last };
};

const listSince = async (db: UserDatabase, since: number): Promise<ReadHere> => {
  const stored = await db.log.where(':id').above(since).toArray();
  const reads = new Map<RoomKey, Timetoken>();
  let began: Timetoken | undefined;
  for (const { fact } of toKnownEnvelopes(stored)) {
    if (fact.type === 'v1.RoomRead') {
      reads.set(fact.room, laterOf(reads.get(fact.room) ?? TIMETOKEN_ZERO, fact.timetoken));
    }
    if (fact.type === 'v1.ReadingBegan') began = fact.timetoken;
  }
  return { reads, began, last: stored.at(-1)?.seq ?? since };
};

/** See `Store.listReads`. */
export const listReads = (db: UserDatabase, since: number | undefined): PromiseLike<ReadHere> =>
  db.transaction('r', [db.log, db.activity], () =>
    since === undefined ? listAll(db) : listSince(db, since),
  );

/** What was read elsewhere, later than here. */
const listElsewhere = async (db: UserDatabase, news: Reads): Promise<readonly Fact[]> => {
  const stored = await db.activity.bulkGet([...news.keys()]);
  const here = new Map<string, Timetoken>();
  const present = stored.filter((row) => row !== undefined);
  for (const { room, readUpTo } of readRows(parseRoomActivity, present).rows) {
    here.set(room, readUpTo);
  }
  return [...news].flatMap(([room, timetoken]): readonly Fact[] =>
    timetoken > (here.get(room) ?? TIMETOKEN_ZERO)
      ? [{ type: 'v1.RoomRead', room, timetoken }]
      : [],
  );
};

/**
 * See `Store.keepOwnReads`. The facts come first: if the rest fails, the entries are read once more.
 */
export const keepOwnReads = async (
  db: UserDatabase,
  fence: number,
  own: OwnReads,
): Promise<Result<void, AppError>> => {
  const known = await attempt(db, () => findOwnReads(db));
  if (!known.ok) return known;
  const facts = await attempt(db, () =>
    listElsewhere(db, findNewReads(own.reads, known.value.reads)),
  );
  if (!facts.ok) return facts;
  const appended = facts.value.length === 0 ? ok(0) : await appendFacts(db, facts.value, fence);
  if (!appended.ok) return appended;
  const keep = async (): Promise<void> => {
    await mustHoldFence(db, fence);
    const stored = { ...own, reads: [...own.reads] };
    await db.meta.put({ key: META.own, own: stored, v: ROW_VERSION });
  };
  return attempt(db, () => write(db, [db.meta], keep, 'relaxed'));
};
