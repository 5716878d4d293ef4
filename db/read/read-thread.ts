import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import { parseOutboxItem, type RowParser } from '#domain/project/row-schemas.ts';
import { type MessageRow, type OutboxItem, toMessageKey } from '#domain/project/rows.ts';
import { replaceRows } from '#domain/project/thread.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { parseEntry, parsePositionKey } from '../facts/entry-row.ts';
import type { UserDatabase } from '../schema/database.ts';
import { findThreadChanges, findThreadParts, type ThreadParts } from './queries.ts';
import type { ChangedRows, RowChanges } from '../schema/row-changes.ts';
import { toCoverageKey } from '../schema/tables.ts';

/** The stored rows of a room: every message at or after `floor`, oldest first. */
export interface LoadedThread extends ThreadParts {
  readonly floor: Timetoken;
}

/** All stored rows of a room, starting at `from`; without it, the newest page. */
export const readThread = async (
  db: UserDatabase,
  room: RoomKey,
  from: Timetoken | undefined,
): Promise<LoadedThread> => {
  const { count, ...parts } = await findThreadParts(db, room, from);
  const rows = replaceRows([], new Map(parts.rows.map((row) => [row.key, row])));
  // An unreadable message counts: there may be older ones.
  const isWhole = count < HISTORY_PAGE_SIZE;
  const oldest = isWhole ? TIMETOKEN_ZERO : (rows[0]?.timetoken ?? TIMETOKEN_ZERO);
  return { ...parts, rows, floor: from ?? oldest };
};

/**
 * The rows that a commit of this page replaces, by row key; undefined if they have to be read. A
 * message is stored under its position, which another one may share, so a deletion without an id
 * does not identify the deleted message.
 */
export const toReplacing = (
  uid: string,
  loaded: readonly MessageRow[],
  changed: Listed,
): ReadonlyMap<string, MessageRow | undefined> | undefined => {
  const replacing = new Map<string, MessageRow | undefined>();
  const positions = new Set<Timetoken>();
  for (const [k, written] of changed) {
    if (written === undefined) return undefined;
    const position = parsePositionKey(k);
    if (position === undefined) continue;
    if (written.row !== undefined) {
      const entry = parseEntry(written.row);
      if (!entry.ok) return undefined;
      replacing.set(entry.value.row.key, entry.value.row);
    } else if (position.id === undefined) positions.add(position.timetoken);
    else {
      const key = toMessageKey(position.room, uid, position.id, position.timetoken);
      if (!replacing.has(key)) replacing.set(key, undefined);
    }
  }
  const isUnclear = loaded.some(
    ({ key, timetoken }) => positions.has(timetoken) && !replacing.has(key),
  );
  return isUnclear ? undefined : replacing;
};

/**
 * The range of positions in which messages changed, limited to `floor` and later; undefined if
 * there is none.
 */
const toRange = (changed: ReadonlySet<string>, floor: Timetoken) => {
  const positions = [...changed].flatMap((k) => parsePositionKey(k)?.timetoken ?? []).toSorted();
  const last = positions.at(-1);
  if (last === undefined || last < floor) return undefined;
  return { from: laterOf(positions[0] ?? floor, floor), before: nextTimetoken(last) };
};

/**
 * `loaded` with the messages at `changed` (keys) read again, and with older messages, starting at
 * `older`, added.
 */
export const readChanges = async (
  db: UserDatabase,
  room: RoomKey,
  loaded: LoadedThread,
  changed: ReadonlySet<string>,
  older: Timetoken | undefined,
): Promise<LoadedThread> => {
  // An item that left the outbox may be a message now, in a commit that has not been reported yet.
  const noticed = new Set(Array.from(changed, (k) => parsePositionKey(k)?.id));
  const keys = loaded.items
    .filter(({ id }) => !noticed.has(id))
    .map(({ uid, id }) => toMessageKey(room, uid, id, TIMETOKEN_MAX));
  const range = toRange(changed, loaded.floor);
  const parts = await findThreadChanges(db, room, {
    keys,
    ranges: [
      ...(range === undefined ? [] : [range]),
      ...(older === undefined ? [] : [{ from: older, before: loaded.floor }]),
    ],
  });
  const isRead = ({ timetoken }: MessageRow): boolean =>
    range !== undefined && range.from <= timetoken && timetoken < range.before;
  const found = new Map<string, MessageRow | undefined>(
    loaded.rows.filter(isRead).map(({ key }) => [key, undefined]),
  );
  for (const row of parts.rows) found.set(row.key, row);
  return { ...parts, rows: replaceRows(loaded.rows, found), floor: older ?? loaded.floor };
};

/** Changed rows, listed by key. */
export type Listed = Exclude<ChangedRows, 'all'>;

export const NONE: Listed = new Map();

/** Changed rows with their values; undefined for deleted ones. */
type Values<T> = ReadonlyMap<string, T | undefined>;

/** The values of rows that this page wrote; undefined if one of them has to be read. */
export const toValues = <T>(changed: Listed, parse: RowParser<T>): Values<T> | undefined => {
  const values = new Map<string, T | undefined>();
  for (const [key, written] of changed) {
    if (written === undefined) return undefined;
    const parsed = written.row === undefined ? undefined : parse(written.row);
    if (parsed?.ok === false) return undefined;
    values.set(key, parsed?.value);
  }
  return values;
};

export const changesCoverage = (room: RoomKey, changes: RowChanges): boolean => {
  const coverage = changes.get('coverage') ?? NONE;
  return coverage === 'all' || coverage.has(toCoverageKey(room)) || coverage.has(room);
};

/** Whether messages of a room changed that are stored in the format of earlier versions. */
export const changesOld = (room: RoomKey, changes: RowChanges): boolean => {
  const messages = changes.get('messages') ?? NONE;
  return messages === 'all' || onlyOf(room, messages).size > 0;
};

/** The changed messages of one room. */
export const onlyOf = (room: RoomKey, messages: Listed): Listed => {
  const prefix = `${room}|`;
  return new Map([...messages].filter(([key]) => key.startsWith(prefix)));
};

/**
 * The changed outbox items that belong or may belong to one room: of other tabs' changes only the
 * id is known.
 */
export const onlyOutboxOf = (
  room: RoomKey,
  outbox: Listed,
  known: readonly OutboxItem[] = [],
): Listed => {
  const isOfRoom = (id: string): boolean => {
    const written = outbox.get(id);
    if (written === undefined || known.some((item) => item.id === id)) return true;
    const item = parseOutboxItem(written.row);
    return item.ok && item.value.room === room;
  };
  return new Map([...outbox].filter(([id]) => isOfRoom(id)));
};

/** The unsent messages of a room after some of them changed. */
export const replaceItems = (
  room: RoomKey,
  items: readonly OutboxItem[],
  changed: Values<OutboxItem>,
): readonly OutboxItem[] => {
  const added = [...changed.values()].filter((item) => item !== undefined);
  return [...items.filter(({ id }) => !changed.has(id)), ...added].filter(
    (item) => item.room === room,
  );
};

/** The parts that a thread has to read, because they may have changed. */
export interface Due {
  /** Everything, because the changed rows are not known. */
  isAll: boolean;
  /** The outbox and the coverage. */
  isRest: boolean;
  /** Keys of stored messages. */
  readonly keys: Set<string>;
}

export const toNothingDue = (): Due => ({ isAll: false, isRest: false, keys: new Set() });
export const isAnyDue = ({ isAll, isRest, keys }: Due): boolean => isAll || isRest || keys.size > 0;
