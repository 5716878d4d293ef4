import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type {
  MarkChange,
  ReadPositions,
  UnreadPosition,
  UnreadPositions,
} from '#domain/ports/storage.ts';
import { parseRoomActivity } from '#domain/project/row-schemas.ts';
import { ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { type Filter, DEFAULT_INBOX, type InboxChoice, ORDER_KEY } from '#domain/rules/inbox.ts';
import {
  type Choices,
  parseMarkKey,
  toChoiceMark,
  toChoices,
  toNextMark,
  toNextTurn,
} from '#domain/schemas/marks.ts';
import { toReadOn, toUnreadValue } from '#domain/schemas/unread-mark.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { findMark } from '../facts/list-marks.ts';
import { appendInTransaction } from '../log/event-log.ts';
import { toReadable } from '../log/readable-tables.ts';
import type { UserDatabase } from '../schema/database.ts';
import { attempt } from '../schema/storage-errors.ts';
import { META, TABLES } from '../schema/tables.ts';
import { write } from '../schema/write.ts';
import { listChoiceMarks } from './choices.ts';

/**
 * Records the signed-in user's marks and choices. A power cut may lose a choice for this device.
 */

/** Stores facts, also on a full disk. */
type Append = (db: UserDatabase, facts: readonly Fact[]) => Promise<Result<unknown, AppError>>;

/**
 * Appends marks that depend on stored data: they are determined in the transaction that adds them,
 * so that the second of two concurrent tabs sees the marks of the first. They must not include
 * facts that change other tables.
 */
const appendFound = async (
  db: UserDatabase,
  append: Append,
  find: () => Promise<readonly Fact[]>,
): Promise<Result<void, AppError>> => {
  const added = await attempt(db, () =>
    write(db, db.logged, async () => appendInTransaction(db, await find())),
  );
  if (added.ok) return ok(undefined);
  if (added.error.kind !== 'quota') return added;
  // `append`, which makes space, needs the facts themselves.
  const found = await attempt(db, find);
  if (!found.ok) return found;
  const appended = await append(db, found.value);
  return appended.ok ? ok(undefined) : appended;
};

const toMarkFact = async (db: UserDatabase, change: MarkChange): Promise<readonly Fact[]> => {
  const { kind, room } = change;
  const next = toNextMark(await findMark(db, kind, room), change);
  return next === undefined ? [] : [{ type: 'v1.RoomMarked', kind, room, ...next }];
};

/** See `Store.recordMarks`; `append` stores the facts. */
export const recordMarks = (
  db: UserDatabase,
  append: Append,
  changes: readonly MarkChange[],
): Promise<Result<void, AppError>> =>
  appendFound(db, append, async () => {
    const facts = await Promise.all(changes.map((change) => toMarkFact(db, change)));
    return facts.flat();
  });

/** The position of the newest entry of a room; undefined if this device has none. */
const findNewest = async (db: UserDatabase, room: RoomKey): Promise<Timetoken | undefined> => {
  const stored = await db.activity.get(room);
  const [activity] = toReadable(db, TABLES.activity, parseRoomActivity, stored ? [stored] : []);
  return activity?.newest;
};

const toReadFacts = async (
  db: UserDatabase,
  room: RoomKey,
  position: Timetoken | undefined,
): Promise<readonly Fact[]> => {
  const timetoken = position ?? (await findNewest(db, room));
  if (timetoken === undefined) return [];
  const mark = toReadOn(await findMark(db, 'unread', room), timetoken);
  const read: Fact = { type: 'v1.RoomRead', room, timetoken };
  return mark === undefined
    ? [read]
    : [read, { type: 'v1.RoomMarked', kind: 'unread', room, ...mark }];
};

/** See `Store.findRead`. */
export const findRead = async (
  db: UserDatabase,
  positions: ReadPositions,
): Promise<readonly Fact[]> => {
  const facts = await Promise.all(Array.from(positions, ([room, at]) => toReadFacts(db, room, at)));
  return facts.flat();
};

const toUnreadFacts = async (
  db: UserDatabase,
  room: RoomKey,
  { from, upTo: given }: UnreadPosition,
): Promise<readonly Fact[]> => {
  const newest = await findNewest(db, room);
  if (newest === undefined || newest <= from) return [];
  const known = await findMark(db, 'unread', room);
  const value = toUnreadValue({ from, upTo: given ?? newest });
  return [{ type: 'v1.RoomMarked', kind: 'unread', room, turn: toNextTurn(known), value }];
};

/** See `Store.recordUnread`; `append` stores the facts. */
export const recordUnread = (
  db: UserDatabase,
  append: Append,
  positions: UnreadPositions,
): Promise<Result<void, AppError>> =>
  appendFound(db, append, async () => {
    const facts = await Promise.all(
      Array.from(positions, ([room, position]) => toUnreadFacts(db, room, position)),
    );
    return facts.flat();
  });

/** See `Store.recordChoices`; `append` stores the facts. */
export const recordChoices = (
  db: UserDatabase,
  append: Append,
  choose: (before: Choices) => Choices,
): Promise<Result<void, AppError>> =>
  appendFound(db, append, async () => {
    const known = await listChoiceMarks(db);
    return [...choose(toChoices(known))].flatMap(([key, value]): readonly Fact[] => {
      const about = parseMarkKey(key);
      const mark = toChoiceMark(known.get(key), value);
      if (about === undefined || !('subject' in about) || mark === undefined) return [];
      return [{ type: 'v1.ChoiceMade', ...about, ...mark }];
    });
  });

/** See `UserStore.saveClientsWide`. */
export const saveClientsWide = (
  db: UserDatabase,
  clientsWide: boolean,
): Promise<Result<void, AppError>> => {
  const keep = () => db.putMeta({ key: META.layout, clientsWide });
  return attempt(db, () => write(db, [db.meta], keep, 'relaxed'));
};

const keepFilter = (db: UserDatabase, filter: Filter): Promise<Result<void, AppError>> => {
  const keep = async () => {
    const row = await db.findMeta(META.inbox);
    // An earlier version stored the order here.
    const order = row === undefined ? DEFAULT_INBOX.order : row.order;
    await db.putMeta({ key: META.inbox, filter, order });
  };
  return attempt(db, () => write(db, [db.meta], keep, 'relaxed'));
};

/** See `UserStore.saveInboxChoice`. */
export const saveInboxChoice = async (
  db: UserDatabase,
  append: Append,
  { filter, order }: Partial<InboxChoice>,
): Promise<Result<void, AppError>> => {
  const kept = filter === undefined ? ok(undefined) : await keepFilter(db, filter);
  if (!kept.ok || order === undefined) return kept;
  const value = order === DEFAULT_INBOX.order ? '' : order;
  return recordChoices(db, append, () => new Map([[ORDER_KEY, value]]));
};
