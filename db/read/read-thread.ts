import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import { type MessageRow, toMessageKey } from '#domain/project/rows.ts';
import { replaceRows } from '#domain/project/thread.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import { findThreadChanges, findThreadParts, type ThreadParts } from './queries.ts';

/** The stored rows of a room: every message from `floor` on, oldest first. */
export interface Held extends ThreadParts {
  readonly floor: Timetoken;
}

/** All stored rows of a room from `from` on; without it, the newest page. */
export const readThread = async (
  db: UserDatabase,
  room: RoomKey,
  from: Timetoken | undefined,
): Promise<Held> => {
  const parts = await findThreadParts(db, room, from);
  const rows = replaceRows([], new Map(parts.rows.map((row) => [row.key, row])));
  const isWhole = rows.length < HISTORY_PAGE_SIZE;
  const oldest = isWhole ? TIMETOKEN_ZERO : (rows[0]?.timetoken ?? TIMETOKEN_ZERO);
  return { ...parts, rows, floor: from ?? oldest };
};

/** `held` with the messages under `changed` read again, and with those from `older` on added. */
export const readChanges = async (
  db: UserDatabase,
  room: RoomKey,
  held: Held,
  changed: ReadonlySet<string>,
  older: Timetoken | undefined,
): Promise<Held> => {
  // An item that left the outbox may be a message now, in a commit of which no notice came yet.
  const unsent = held.items.map(({ uid, id }) => toMessageKey(room, uid, id, TIMETOKEN_MAX));
  const keys = [...new Set([...changed, ...unsent])];
  const parts = await findThreadChanges(db, room, {
    keys,
    older: older === undefined ? undefined : { from: older, before: held.floor },
  });
  const found = new Map<string, MessageRow | undefined>(keys.map((key) => [key, undefined]));
  for (const row of parts.rows) found.set(row.key, row);
  return { ...parts, rows: replaceRows(held.rows, found), floor: older ?? held.floor };
};
