import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import { type MessageRow, toMessageKey } from '#domain/project/rows.ts';
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
import type { Listed } from './changed-values.ts';
import { findThreadChanges, findThreadParts, type ThreadParts } from './queries.ts';

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
