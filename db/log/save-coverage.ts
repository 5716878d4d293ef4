import { SEGMENT_PREFIX, toFactKey, toKindPrefix } from '#domain/envelope.ts';
import type { Fact } from '#domain/events.ts';
import type { Segment } from '#domain/project/segments.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import { ROW_VERSION } from '../schema/tables.ts';
import { listFloors } from './segments.ts';

const toFact = ({ after, to, isOpen }: Segment): Fact =>
  isOpen ? { type: 'v1.StreamOpened', after } : { type: 'v1.StreamCovered', after, to };

const putFacts = async (db: UserDatabase, facts: readonly Fact[]): Promise<void> => {
  const at = db.clock.now();
  await db.log.bulkAdd(facts.map((fact) => ({ key: toFactKey(fact), at, fact, v: ROW_VERSION })));
};

/** Replaces all segments. Runs in a transaction over the log. */
export const saveSegments = async (
  db: UserDatabase,
  segments: readonly Segment[],
): Promise<void> => {
  await db.log.where('key').startsWith(SEGMENT_PREFIX).delete();
  await putFacts(db, segments.map(toFact));
};

/** Raises the floors of rooms to `from`; none is lowered. Runs in a transaction over the log. */
export const raiseFloors = async (
  db: UserDatabase,
  rooms: readonly RoomKey[],
  from: Timetoken,
): Promise<void> => {
  if (rooms.length === 0) return;
  const known = await listFloors(db);
  const raised = rooms.filter((room) => (known.get(room) ?? '') < from);
  const facts = raised.map((room): Fact => ({ type: 'v1.RoomFloored', room, from }));
  await db.log.where('key').anyOf(facts.map(toFactKey)).delete();
  await putFacts(db, facts);
};

/**
 * Clears the coverage of every room together with its facts and the segments of the stream, so
 * that a rebuild from the log yields the same tables; messages stay. Runs in a transaction over
 * `log` and `coverage`. The caller drops `since` of the leader.
 */
export const clearCoverage = async (db: UserDatabase): Promise<void> => {
  await db.log.where('key').startsWithAnyOf(toKindPrefix('page'), toKindPrefix('floor')).delete();
  await db.coverage.clear();
};
