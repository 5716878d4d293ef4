import {
  OLD_PREFIXES,
  SEGMENT_PREFIX,
  toFactKey,
  toKindPrefix,
  toRoomPrefix,
} from '#domain/envelope.ts';
import type { Fact, FactOf } from '#domain/events.ts';
import { type CoverageRange, coverPage } from '#domain/project/coverage.ts';
import type { Coverage } from '#domain/project/rows.ts';
import { toReliable } from '#domain/project/segment-changes.ts';
import { coverRoom, type Segment } from '#domain/project/segments.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  laterOf,
  nextTimetoken,
  previousTimetoken,
  type Timetoken,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { toCoverageRow } from '../facts/coverage-row.ts';
import { toKnownEnvelopes } from '../facts/log-facts.ts';
import type { UserDatabase } from '../schema/database.ts';
import { hasRows } from '../schema/readable.ts';
import { ROW_VERSION, toCoverageKey } from '../schema/tables.ts';
import { findLeader } from './fence.ts';
import { findStreamed, listFloors, listSegments } from './segments.ts';

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
  await db.log.where('key').startsWithAnyOf(SEGMENT_PREFIX, OLD_PREFIXES.segment).delete();
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
 * Clears the coverage of every room together with its facts, the floors and the segments of the
 * stream, so that a rebuild from the log yields the same tables; messages stay. Runs in a
 * transaction over `log` and `coverage`. The caller drops `since` of the leader.
 */
export const clearCoverage = async (db: UserDatabase): Promise<void> => {
  await db.log.where('key').startsWithAnyOf(OLD_PREFIXES.page, toKindPrefix('floor')).delete();
  await db.coverage.clear();
};

/** Replaces the pages of a room, including those of an earlier version, with these ranges. */
const replacePages = async (
  db: UserDatabase,
  room: RoomKey,
  ranges: readonly CoverageRange[],
): Promise<void> => {
  const old = `${OLD_PREFIXES.page}${room}|`;
  await db.log.where('key').startsWithAnyOf(toRoomPrefix('page', room), old).delete();
  await db.coverage.bulkDelete([toCoverageKey(room), room]);
  const pages = ranges.map(({ from, to }): FactOf<'v1.HistoryPageLoaded'> => {
    return { type: 'v1.HistoryPageLoaded', room, from, to, reachedStart: false };
  });
  let coverage: Coverage | undefined;
  for (const page of pages) coverage = coverPage(coverage, page);
  await putFacts(db, pages);
  if (coverage !== undefined) await db.coverage.put(toCoverageRow(coverage));
};

/**
 * The coverage of a room by its pages according to the facts, including those of an earlier
 * version.
 */
const readPages = async (db: UserDatabase, room: RoomKey): Promise<Coverage | undefined> => {
  const prefixes = [toRoomPrefix('page', room), `${OLD_PREFIXES.page}${room}|`];
  const stored = await db.log.where('key').startsWithAnyOf(prefixes).toArray();
  let coverage: Coverage | undefined;
  for (const { fact } of toKnownEnvelopes(stored)) {
    if (fact.type === 'v1.HistoryPageLoaded') coverage = coverPage(coverage, fact);
  }
  return coverage;
};

/**
 * Rewrites the pages of a room in the format of this version, if an earlier one stored some. Runs
 * in a transaction like that of `shortenCoverage`.
 */
export const rewritePages = async (db: UserDatabase, room: RoomKey): Promise<void> => {
  const old = db.log.where('key').startsWith(`${OLD_PREFIXES.page}${room}|`);
  const [isPaged, row] = await Promise.all([hasRows(old), db.coverage.get(room)]);
  if (!isPaged && row === undefined) return;
  await replacePages(db, room, (await readPages(db, room))?.ranges ?? []);
};

/**
 * Stores one fact for each range of a room's coverage by its pages, or by its pages and the stream,
 * whichever are fewer, if it has more facts about pages. Runs in a transaction like that of
 * `shortenCoverage`. Not for a room that is no longer subscribed: the stream does not cover it.
 */
export const mergePages = async (db: UserDatabase, room: RoomKey): Promise<void> => {
  const pages = await readPages(db, room);
  const streamed = await findStreamed(db, room);
  const segments = toReliable(streamed.segments);
  const own = pages?.ranges ?? [];
  const all = coverRoom(room, pages, { ...streamed, segments })?.ranges ?? [];
  const ranges = own.length <= all.length ? own : all;
  const count = await db.log.where('key').startsWith(toRoomPrefix('page', room)).count();
  if (count > ranges.length) await replacePages(db, room, ranges);
};

/**
 * Limits the coverage of a room, by its pages and by the stream, to `cut` and later positions. Runs
 * in a transaction over the logged tables.
 */
export const shortenCoverage = async (
  db: UserDatabase,
  room: RoomKey,
  cut: Timetoken,
): Promise<void> => {
  const known = await readPages(db, room);
  if (known !== undefined) {
    const ranges = known.ranges.filter(({ to }) => to >= cut);
    await replacePages(
      db,
      room,
      ranges.map(({ from, to }) => ({ from: laterOf(from, cut), to })),
    );
  }
  const segments = await listSegments(db, await findLeader(db));
  if (segments.some(({ after }) => after < cut)) await raiseFloors(db, [room], cut);
};

const splitAt =
  (position: Timetoken) =>
  (range: CoverageRange): readonly CoverageRange[] => {
    if (position < range.from || range.to < position) return [range];
    const before = { from: range.from, to: previousTimetoken(position) };
    const parts = [before, { from: nextTimetoken(position), to: range.to }];
    return parts.filter(({ from, to }) => from <= to && to !== TIMETOKEN_ZERO);
  };

/**
 * Removes positions from a room's coverage, so that they are fetched again. Runs in a transaction
 * like that of `shortenCoverage`.
 */
export const uncover = async (
  db: UserDatabase,
  room: RoomKey,
  positions: readonly Timetoken[],
): Promise<void> => {
  const last = positions.toSorted().at(-1);
  if (last === undefined) return;
  const streamed = await findStreamed(db, room);
  // Pages must not keep what the next stream takes from the end of its segment.
  const segments = toReliable(streamed.segments);
  const covered = coverRoom(room, await readPages(db, room), { ...streamed, segments });
  let ranges: readonly CoverageRange[] = covered?.ranges ?? [];
  for (const position of positions) ranges = ranges.flatMap(splitAt(position));
  await replacePages(db, room, ranges);
  // Below the floor, the ranges replace the coverage by the segments.
  if (streamed.segments.some(({ after }) => after < last)) {
    await raiseFloors(db, [room], nextTimetoken(last));
  }
};
