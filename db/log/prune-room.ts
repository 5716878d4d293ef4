import { OLD_PREFIXES, toRoomPrefix } from '#domain/envelope.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  earlierOf,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { parsePositionKey, toRowKey } from '../facts/entry-row.ts';
import { entriesIn, oldRowsIn } from '../facts/load-messages.ts';
import { findLocalFacts, toKnownEnvelopes, toMessageRowKey } from '../facts/log-facts.ts';
import type { UserDatabase } from '../schema/database.ts';
import { mustHoldFence } from './fence.ts';
import { PRUNE_CHUNK_SIZE } from '../schema/limits.ts';
import { shortenCoverage } from './save-coverage.ts';
import { hasRows } from '../schema/readable.ts';
import { write } from '../schema/write.ts';

/**
 * The further copies of a room's messages before a position, or all of them, including the received
 * facts of an earlier version.
 */
const copiesOf = ({ log, hasOld }: UserDatabase, room: RoomKey, before: Timetoken | '\uffff') => {
  const prefixes = [toRoomPrefix('copy', room)];
  if (hasOld) prefixes.push(`${OLD_PREFIXES.received}${room}|`);
  return log.where('key').inAnyRange(prefixes.map((prefix) => [prefix, prefix + before]));
};

/** The oldest messages before `cut` as an earlier version stored them. */
const listOld = async (db: UserDatabase, room: RoomKey, cut: Timetoken, count: number) =>
  db.hasOld ? oldRowsIn(db, room, { before: cut }).limit(count).toArray() : [];

/** Whether messages, or facts without one, exist before `cut`. */
const hasOutdated = async (db: UserDatabase, room: RoomKey, cut: Timetoken): Promise<boolean> =>
  (await hasRows(entriesIn(db, room, { before: cut }))) ||
  (await listOld(db, room, cut, 1)).length > 0 ||
  (await hasRows(copiesOf(db, room, cut)));

/** The copies before `end`, and all copies of messages that are pruned. */
const findOutdatedCopies = async (
  db: UserDatabase,
  room: RoomKey,
  end: Timetoken,
  keys: ReadonlySet<string | undefined>,
): Promise<readonly number[]> => {
  const copies = toKnownEnvelopes(await copiesOf(db, room, '\uffff').toArray());
  return copies
    .filter(
      ({ fact }) =>
        'publisher' in fact && (fact.timetoken < end || keys.has(toMessageRowKey(fact))),
    )
    .map(({ seq }) => seq);
};

/** The first position after all rows read from a table, if it may have more. */
const toBound = (positions: readonly Timetoken[], count: number): readonly Timetoken[] => {
  const last = count < PRUNE_CHUNK_SIZE ? undefined : positions.at(-1);
  return last === undefined ? [] : [nextTimetoken(last)];
};

/** The number of pruned messages, and whether they were the last ones. */
interface Step {
  readonly gone: number;
  readonly isLast: boolean;
}

/** Prunes the oldest messages before `cut` in the caller's transaction. */
const pruneSome = async (db: UserDatabase, room: RoomKey, cut: Timetoken): Promise<Step> => {
  // An unreadable message is pruned like any other: only its key and its identity are read.
  const stored = await entriesIn(db, room, { before: cut }).limit(PRUNE_CHUNK_SIZE).toArray();
  const old = await listOld(db, room, cut, PRUNE_CHUNK_SIZE);
  const positions = stored.flatMap(({ k }) => parsePositionKey(k)?.timetoken ?? []);
  const oldPositions = old.map(({ timetoken }) => timetoken);
  const bounds = [...toBound(positions, stored.length), ...toBound(oldPositions, old.length)];
  const end = bounds.reduce(earlierOf, cut);
  const rows = stored.filter(({ k }) => (parsePositionKey(k)?.timetoken ?? TIMETOKEN_ZERO) < end);
  const oldRows = old.filter(({ timetoken }) => timetoken < end);
  const keys = [...rows.flatMap(({ f }) => toRowKey(f) ?? []), ...oldRows.map(({ key }) => key)];
  const local = await findLocalFacts(db, keys);
  await db.log.bulkDelete([
    ...(await findOutdatedCopies(db, room, end, new Set(keys))),
    ...local.map(({ seq }) => seq),
  ]);
  await db.entries.bulkDelete(rows.map(({ k }) => k));
  await db.messages.bulkDelete(oldRows.map(({ key }) => key));
  const last = [...positions, ...oldPositions]
    .filter((position) => position < end)
    .reduce(laterOf, TIMETOKEN_ZERO);
  if (last !== TIMETOKEN_ZERO) await shortenCoverage(db, room, nextTimetoken(last));
  return { gone: rows.length + oldRows.length, isLast: bounds.length === 0 };
};

/**
 * Prunes a room's messages before `cut` together with the facts behind them and shortens its
 * coverage, by its pages and by the stream, in several transactions; a rebuild from the log still
 * yields the same tables. The value is the number of pruned messages.
 */
export const pruneRoom = async (
  db: UserDatabase,
  room: RoomKey,
  cut: Timetoken,
  fence: number | undefined,
): Promise<number> => {
  if (!(await hasOutdated(db, room, cut))) return 0;
  let total = 0;
  for (;;) {
    const { gone, isLast } = await write(db, db.logged, async () => {
      if (fence !== undefined) await mustHoldFence(db, fence);
      return pruneSome(db, room, cut);
    });
    total += gone;
    if (isLast) return total;
  }
};
