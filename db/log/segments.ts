import { OLD_PREFIXES, SEGMENT_PREFIX, toKindPrefix, toRoomPrefix } from '#domain/envelope.ts';
import type { Fact } from '#domain/events.ts';
import type { LeaderRow } from '#domain/project/rows.ts';
import { type Segment, type Streamed, mergeSegments } from '#domain/project/segments.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { laterOf, type Timetoken } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import { META } from '../schema/tables.ts';
import { findLeader } from './fence.ts';
import { toKnownEnvelopes } from '../facts/log-facts.ts';

/**
 * The segments of the stream and the floors of rooms. They are few, and their facts in the log are
 * replaced in place, so that the log itself is their table: a rebuild does not affect them.
 */

const listFacts = async (db: UserDatabase, prefix: string): Promise<readonly Fact[]> =>
  toKnownEnvelopes(await db.log.where('key').startsWith(prefix).toArray()).map(({ fact }) => fact);

/** Segments are written again under the newer keys whenever one opens, and before messages move. */
const listSegmentFacts = async (db: UserDatabase): Promise<readonly Fact[]> => {
  const prefixes = [SEGMENT_PREFIX, ...(db.hasOld ? [OLD_PREFIXES.segment] : [])];
  return (await Promise.all(prefixes.map((prefix) => listFacts(db, prefix)))).flat();
};

const toSegments = (fact: Fact, leader: LeaderRow | undefined): readonly Segment[] => {
  if (fact.type === 'v1.StreamCovered') return [{ after: fact.after, to: fact.to, isOpen: false }];
  if (fact.type !== 'v1.StreamOpened') return [];
  const { after } = fact;
  // A leader of an earlier version does not continue the segment: its end is unknown then.
  const isLast = leader?.since === after;
  const end = isLast ? (leader.until ?? leader.cursor) : undefined;
  const isOpen = isLast && leader.until === undefined;
  return [{ after, to: laterOf(after, end ?? after), isOpen }];
};

/**
 * The segments in ascending order. The open one ends at the position up to which, according to the
 * leader's heartbeat, everything was stored.
 */
export const listSegments = async (
  db: UserDatabase,
  leader: LeaderRow | undefined,
): Promise<readonly Segment[]> => {
  const facts = await listSegmentFacts(db);
  return mergeSegments(facts.flatMap((fact) => toSegments(fact, leader)));
};

/** The floors of all rooms that have one, or of `room` alone. */
export const listFloors = async (
  db: UserDatabase,
  room?: RoomKey,
): Promise<ReadonlyMap<RoomKey, Timetoken>> => {
  const facts = await listFacts(db, room ? toRoomPrefix('floor', room) : toKindPrefix('floor'));
  return new Map(
    facts.flatMap((fact) => (fact.type === 'v1.RoomFloored' ? [[fact.room, fact.from]] : [])),
  );
};

/**
 * The coverage by the stream, with the floors of all rooms or of `room` alone. Runs in a
 * transaction over `log` and `meta`.
 */
export const findStreamed = async (db: UserDatabase, room?: RoomKey): Promise<Streamed> => {
  const [leader, floors] = await Promise.all([findLeader(db), listFloors(db, room)]);
  return { segments: await listSegments(db, leader), floors };
};

/** The rooms of the last stream, if its engine names them. */
export const findSubscribed = async (db: UserDatabase): Promise<readonly RoomKey[] | undefined> => {
  const row = await db.findMeta(META.subscribed);
  return Array.isArray(row?.rooms) ? row.rooms.filter(isRoomKey) : undefined;
};
