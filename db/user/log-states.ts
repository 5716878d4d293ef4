import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { LocalMarks } from '#domain/ports/storage.ts';
import {
  type LogState,
  NOTHING_KNOWN,
  parseLogState,
  toStoredState,
} from '#domain/project/log-state.ts';
import { parseRoomActivity } from '#domain/project/row-schemas.ts';
import { ok, type Result } from '#domain/result.ts';
import { ALL_ROOMS, isRoomKey } from '#domain/rooms.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import {
  findMarkLog,
  findNewMarks,
  isLaterMark,
  type Mark,
  type Marks,
  parseMarkKey,
  withEarlier,
} from '#domain/schemas/marks.ts';
import { earlierOf, isTimetoken, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { toKnownEnvelopes } from '../facts/log-facts.ts';
import { appendFacts } from '../log/event-log.ts';
import { mustHoldFence } from '../log/fence.ts';
import { listMarks } from '../facts/list-marks.ts';
import type { UserDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';
import { attempt } from '../schema/storage-errors.ts';
import { META } from '../schema/tables.ts';
import { write } from '../schema/write.ts';
import { listEarlierChoices } from './choices.ts';

/** See `Store.findLogState`. An unreadable state is read again from the log. */
export const findLogState = async (db: UserDatabase, log: MarkLogName): Promise<LogState> => {
  const row = await db.findMeta(META[log]);
  return parseLogState(row?.state) ?? NOTHING_KNOWN;
};

type Marked = Map<string, Mark>;

const addRead = (marked: Marked, room: string, value: Timetoken): void => {
  const [key, mark] = [`read:${room}`, { turn: 0, value }];
  if (isRoomKey(room) && isLaterMark(mark, marked.get(key))) marked.set(key, mark);
};

/** The number of the newest fact. */
const findLast = async ({ log }: UserDatabase): Promise<number> => {
  const [last] = await log.orderBy(':id').reverse().limit(1).primaryKeys();
  return last ?? 0;
};

/** The read positions of all rooms, from the activity rows; there may be many more facts. */
const listAllReads = async (db: UserDatabase): Promise<LocalMarks> => {
  const [last, stored] = await Promise.all([findLast(db), db.activity.toArray()]);
  const marks: Marked = new Map();
  let began: Timetoken | undefined;
  for (const { room, readUpTo } of readRows(parseRoomActivity, stored).rows) {
    if (room === ALL_ROOMS) began = readUpTo;
    else if (readUpTo > TIMETOKEN_ZERO) addRead(marks, room, readUpTo);
  }
  return { marks, began, last };
};

const listReadsSince = async (db: UserDatabase, since: number): Promise<LocalMarks> => {
  const stored = await db.log.where(':id').above(since).toArray();
  const marks: Marked = new Map();
  let began: Timetoken | undefined;
  for (const { fact } of toKnownEnvelopes(stored)) {
    if (fact.type === 'v1.RoomRead') addRead(marks, fact.room, fact.timetoken);
    if (fact.type === 'v1.ReadingBegan') began = earlierOf(began ?? fact.timetoken, fact.timetoken);
  }
  return { marks, began, last: stored.at(-1)?.seq ?? since };
};

/**
 * All marks except read positions, with the choices that an earlier version stored in other rows.
 */
const listAllMarks = async (db: UserDatabase): Promise<Marks> => {
  const [marks, earlier] = await Promise.all([listMarks(db), listEarlierChoices(db)]);
  return withEarlier(marks, earlier);
};

const NOTHING: LocalMarks = { marks: new Map(), began: undefined, last: 0 };

/** See `Store.listLocalMarks`. */
export const listLocalMarks = (
  db: UserDatabase,
  log: MarkLogName,
  since: number | undefined,
): PromiseLike<LocalMarks> =>
  db.transaction('r', [db.log, db.activity, db.meta], async () => {
    const listReads = () => (since === undefined ? listAllReads(db) : listReadsSince(db, since));
    const [reads, marks] = await Promise.all([
      log === 'own' ? listReads() : NOTHING,
      listAllMarks(db),
    ]);
    const own = [...marks].filter(([key]) => findMarkLog(key) === log);
    return { ...reads, marks: new Map([...reads.marks, ...own]) };
  });

/** The fact of a mark; undefined for a kind that this version does not support. */
const toFact = (key: string, { turn, value }: Mark): Fact | undefined => {
  const known = parseMarkKey(key);
  if (known === undefined) return undefined;
  if ('subject' in known) return { type: 'v1.ChoiceMade', ...known, turn, value };
  const { kind, room } = known;
  if (kind !== 'read') return { type: 'v1.RoomMarked', kind, room, turn, value };
  return isTimetoken(value) ? { type: 'v1.RoomRead', room, timetoken: value } : undefined;
};

/** The facts of marks from other devices that win over the marks here. */
const listElsewhere = async (db: UserDatabase, incoming: Marks): Promise<readonly Fact[]> => {
  const rooms = [...incoming.keys()].flatMap((key) => parseMarkKey(key)?.room ?? []);
  const [stored, marks] = await Promise.all([db.activity.bulkGet(rooms), listMarks(db)]);
  const here: Marked = new Map(marks);
  const present = stored.filter((row) => row !== undefined);
  for (const { room, readUpTo } of readRows(parseRoomActivity, present).rows) {
    addRead(here, room, readUpTo);
  }
  return [...findNewMarks(incoming, here)].flatMap(([key, mark]) => toFact(key, mark) ?? []);
};

/**
 * See `Store.saveLogState`. The facts come first: if the rest fails, the entries are read again.
 */
export const saveLogState = async (
  db: UserDatabase,
  fence: number,
  log: MarkLogName,
  state: LogState,
): Promise<Result<void, AppError>> => {
  const known = await attempt(db, () => findLogState(db, log));
  if (!known.ok) return known;
  const facts = await attempt(db, () =>
    listElsewhere(db, findNewMarks(state.marks, known.value.marks)),
  );
  if (!facts.ok) return facts;
  const appended = facts.value.length === 0 ? ok(0) : await appendFacts(db, facts.value, fence);
  if (!appended.ok) return appended;
  const keep = async (): Promise<void> => {
    await mustHoldFence(db, fence);
    await db.putMeta({ key: META[log], state: toStoredState(state) });
  };
  return attempt(db, () => write(db, [db.meta], keep, 'relaxed'));
};
