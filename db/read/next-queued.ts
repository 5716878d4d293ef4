import { type OutboxItem, toMessageKey } from '#domain/project/rows.ts';
import { parseOutboxItem } from '#domain/project/row-schemas.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_MAX } from '#domain/timetoken.ts';

import { loadByKey } from '../facts/load-messages.ts';
import { appendFacts } from '../log/event-log.ts';
import { rebuildOnce } from '../log/rebuild.ts';
import type { UserDatabase } from '../schema/database.ts';
import { readRows } from '../schema/readable.ts';
import { TABLES } from '../schema/tables.ts';
import { listOutboxOf } from './queries.ts';

const isQueued = ({ state }: OutboxItem): boolean => state === 'queued';

/** The oldest queued message of a room; if it is unreadable, the tables are rebuilt first. */
const findFirstQueued = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<OutboxItem | undefined> => {
  const first = await listOutboxOf(db, room).filter(isQueued).first();
  if (first === undefined) return undefined;
  const { rows, reason } = readRows(parseOutboxItem, [first]);
  if (rows[0]) return rows[0];
  if (reason !== undefined) await rebuildOnce(db, { table: TABLES.outbox, reason });
  const all = await listOutboxOf(db, room).toArray();
  return readRows(parseOutboxItem, all).rows.find(isQueued);
};

/**
 * The oldest queued message of a room. If it is unreadable, the tables are rebuilt first, because
 * later messages must be sent after it. An attempted message that is already stored in the room
 * leaves the outbox without a lookup, and is not sent again.
 */
export const findNextQueued = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<OutboxItem | undefined> => {
  for (;;) {
    const item = await findFirstQueued(db, room);
    if (item?.attemptedAfter === undefined) return item;
    const { id, uid } = item;
    const key = toMessageKey(room, uid, id, TIMETOKEN_MAX);
    const known = await db.transaction('r', db.messageTables, async () => loadByKey(db, [key]));
    const [row] = known.rows;
    if (row === undefined) return item;
    const { timetoken } = row;
    const done = await appendFacts(db, [{ type: 'v1.MessagePublished', id, room, uid, timetoken }]);
    if (!done.ok || (await db.outbox.get(id)) !== undefined) return item;
  }
};
