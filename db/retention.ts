import { type Envelope, toFactKey } from '#domain/envelope.ts';
import type { FactOf } from '#domain/events.ts';
import { RETENTION_AGE_MS, RETENTION_KEPT_ALWAYS, RETENTION_KEPT_MAX } from '#domain/limits.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  earlierOf,
  fromEpochMs,
  isTimetoken,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { applyEnvelopes } from './apply.ts';
import type { UserDatabase } from './database.ts';
import { mustHoldFence } from './fence.ts';
import { KEPT_ON_FULL_DISK, PRUNE_CHUNK_SIZE } from './limits.ts';
import { findFactsBehind } from './log-facts.ts';
import { findCoverage, listCoverage } from './queries.ts';
import { ROW_VERSION, TABLES } from './tables.ts';
import { write } from './write.ts';

/** What stays of a room: `always` the newest, of the others those not before `since`. */
interface Kept {
  readonly always: number;
  readonly max: number;
  readonly since: Timetoken;
}

const within = (db: UserDatabase, room: RoomKey, before: Timetoken) =>
  db.messages
    .where('[room+timetoken]')
    .between([room, TIMETOKEN_ZERO], [room, before], true, false);

/** The place of the newest message after the `count` newest ones; zero where there is none. */
const findBeyond = async (db: UserDatabase, room: RoomKey, count: number): Promise<Timetoken> => {
  const [key]: readonly unknown[] = await within(db, room, TIMETOKEN_MAX)
    .reverse()
    .offset(count)
    .limit(1)
    .keys();
  const place: unknown = Array.isArray(key) ? key[1] : undefined;
  return isTimetoken(place) ? place : TIMETOKEN_ZERO;
};

/** The oldest place that stays. */
const findCut = async (db: UserDatabase, room: RoomKey, kept: Kept): Promise<Timetoken> => {
  const [beyondMax, beyondAlways] = [
    await findBeyond(db, room, kept.max),
    await findBeyond(db, room, kept.always),
  ];
  const old = earlierOf(nextTimetoken(beyondAlways), kept.since);
  return laterOf(nextTimetoken(beyondMax), old);
};

/** What is known of a room from `cut` on, said anew. */
const toPages = (
  room: RoomKey,
  ranges: readonly { readonly from: Timetoken; readonly to: Timetoken }[],
  cut: Timetoken,
): readonly FactOf<'v1.HistoryPageLoaded'>[] =>
  ranges
    .filter(({ to }) => to >= cut)
    .map(({ from, to }) => ({
      type: 'v1.HistoryPageLoaded',
      room,
      from: laterOf(from, cut),
      to,
      reachedStart: false,
    }));

/** Replaces a room's facts about pages by those that hold from `cut` on. */
const shortenCoverage = async (db: UserDatabase, room: RoomKey, cut: Timetoken): Promise<void> => {
  const known = await findCoverage(db, room);
  if (known === undefined) return;
  await db.log.where('key').startsWith(`page|${room}|`).delete();
  await db.coverage.delete(room);
  const at = db.clock.now();
  const pages = toPages(room, known.ranges, cut);
  const rows = pages.map((fact) => ({ key: toFactKey(fact), at, fact, v: ROW_VERSION }));
  const seqs = await db.log.bulkAdd(rows, { allKeys: true });
  const envelopes = rows.flatMap(({ key, fact }, i): Envelope[] => {
    const seq = seqs[i];
    return seq === undefined ? [] : [{ seq, key, at, fact }];
  });
  await applyEnvelopes(db, envelopes);
};

/**
 * Forgets the oldest messages of a room before `cut` together with the facts behind them and
 * shortens what is known of the room, in one transaction: the log still makes the very
 * tables. The value is how many went.
 */
const pruneSome = (
  db: UserDatabase,
  room: RoomKey,
  cut: Timetoken,
  fence: number | undefined,
): Promise<number> =>
  write(db, db.logged, async () => {
    if (fence !== undefined) await mustHoldFence(db, fence);
    const rows = await within(db, room, cut).limit(PRUNE_CHUNK_SIZE).toArray();
    const last = rows.at(-1);
    if (last === undefined) return 0;
    const keys = rows.map(({ key }) => key);
    const facts = await findFactsBehind(db, TABLES.messages, keys);
    await db.log.bulkDelete(facts.map(({ seq }) => seq));
    await db.messages.bulkDelete(keys);
    await shortenCoverage(db, room, nextTimetoken(last.timetoken));
    return rows.length;
  });

const pruneRoom = async (
  db: UserDatabase,
  room: RoomKey,
  kept: Kept,
  fence: number | undefined,
): Promise<number> => {
  const cut = await findCut(db, room, kept);
  let total = 0;
  for (;;) {
    const gone = await pruneSome(db, room, cut, fence);
    total += gone;
    if (gone < PRUNE_CHUNK_SIZE) return total;
  }
};

/** Of the facts that say up to where a room was read, only the newest matters. */
const pruneReads = (db: UserDatabase, fence: number | undefined): Promise<void> =>
  write(db, [db.log, db.meta], async () => {
    if (fence !== undefined) await mustHoldFence(db, fence);
    const keys = await db.log.where('key').startsWith('read|').keys();
    const toRoom = (key: unknown): string => String(key).slice(0, String(key).lastIndexOf('|'));
    // In the order of the index: the newest of a room comes last.
    const outdated = keys.filter(
      (key, i) => i + 1 < keys.length && toRoom(key) === toRoom(keys[i + 1]),
    );
    await db.log.where('key').anyOf(outdated).delete();
  });

const pruneAll = async (db: UserDatabase, kept: Kept, fence?: number): Promise<number> => {
  await pruneReads(db, fence);
  let total = 0;
  for (const { room } of await listCoverage(db)) {
    total += await pruneRoom(db, room, kept, fence);
  }
  return total;
};

/**
 * Forgets history that is old or too much, room by room in short transactions; never what
 * is not sent. The value is how many messages went. Throws `FencedError` once another leads.
 */
export const pruneHistory = (db: UserDatabase, fence: number, now: number): Promise<number> =>
  pruneAll(
    db,
    {
      always: RETENTION_KEPT_ALWAYS,
      max: RETENTION_KEPT_MAX,
      since: fromEpochMs(now - RETENTION_AGE_MS),
    },
    fence,
  );

/** Forgets all history but the newest page of each room: what is being written matters more. */
export const makeSpace = (db: UserDatabase): Promise<number> =>
  pruneAll(db, { always: KEPT_ON_FULL_DISK, max: KEPT_ON_FULL_DISK, since: TIMETOKEN_MAX });
