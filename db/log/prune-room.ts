import { type Envelope, toFactKey, toRoomPrefix } from '#domain/envelope.ts';
import type { FactOf } from '#domain/events.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { laterOf, nextTimetoken, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { applyEnvelopes } from './apply.ts';
import type { UserDatabase } from '../schema/database.ts';
import { findLeader, mustHoldFence } from './fence.ts';
import { PRUNE_CHUNK_SIZE, PRUNE_READ_SIZE } from '../schema/limits.ts';
import { findLocalFacts, toKnownEnvelopes, toMessageRowKey } from './log-facts.ts';
import { findCoverage } from './readable-tables.ts';
import { raiseFloors } from './save-coverage.ts';
import { listSegments } from './segments.ts';
import { ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** The stored messages of a room before a position, oldest first. */
export const messagesBefore = (db: UserDatabase, room: RoomKey, before: Timetoken) =>
  db.messages
    .where('[room+timetoken]')
    .between([room, TIMETOKEN_ZERO], [room, before], true, false);

/** Positions in the log by the key of the row that their facts contribute to. */
type Positions = Map<string, number[]>;

/**
 * Determines which facts of a room's log are pruned with its messages before `cut`. The log is
 * read once for all of them: copies of one message may be anywhere in the room's log.
 */
class OutdatedFacts {
  readonly behind: Positions = new Map();
  /** Facts before the cut whose message is not stored. */
  readonly orphans: number[] = [];
  readonly #db: UserDatabase;
  readonly #room: RoomKey;
  readonly #cut: Timetoken;
  #known: ReadonlySet<string> = new Set();
  /** The log was read up to here. */
  #readTo = 0;

  constructor(db: UserDatabase, room: RoomKey, cut: Timetoken) {
    this.#db = db;
    this.#room = room;
    this.#cut = cut;
  }

  async read(): Promise<void> {
    const { log } = this.#db;
    const [newest = 0] = await log.toCollection().reverse().limit(1).primaryKeys();
    this.#readTo = newest;
    this.#known = new Set(await messagesBefore(this.#db, this.#room, this.#cut).primaryKeys());
    const prefix = toRoomPrefix('received', this.#room);
    for (let after = prefix; ;) {
      const rows = await log
        .where('key')
        .between(after, `${prefix}\uffff`, false, true)
        .limit(PRUNE_READ_SIZE)
        .toArray();
      for (const envelope of toKnownEnvelopes(rows)) this.#take(envelope);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PRUNE_READ_SIZE) return;
      after = last.key;
    }
  }

  /** Adds the facts appended since then; call it in the transaction that deletes. */
  async catchUp(): Promise<void> {
    const rows = await this.#db.log.where('seq').above(this.#readTo).toArray();
    for (const { seq, fact } of toKnownEnvelopes(rows)) {
      this.#readTo = Math.max(this.#readTo, seq);
      if ('publisher' in fact && fact.room === this.#room) this.#add(toMessageRowKey(fact), seq);
    }
  }

  #take({ seq, fact }: Envelope): void {
    if (!('publisher' in fact)) return;
    const key = toMessageRowKey(fact);
    if (key !== undefined && this.#known.has(key)) this.#add(key, seq);
    else if (fact.timetoken < this.#cut) this.orphans.push(seq);
  }

  #add(key: string | undefined, seq: number): void {
    if (key === undefined) return;
    const positions = this.behind.get(key);
    if (positions === undefined) this.behind.set(key, [seq]);
    else positions.push(seq);
  }
}

/** The coverage of a room from `cut` on, as new page facts. */
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

/** Replaces a room's page facts by those that apply from `cut` on. */
const shortenPages = async (db: UserDatabase, room: RoomKey, cut: Timetoken): Promise<void> => {
  const known = await findCoverage(db, room);
  if (known === undefined) return;
  await db.log.where('key').startsWith(toRoomPrefix('page', room)).delete();
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
 * Limits what is known of a room to `cut` and later, by its pages and by the stream. Runs in a
 * transaction over the logged tables.
 */
export const shortenCoverage = async (
  db: UserDatabase,
  room: RoomKey,
  cut: Timetoken,
): Promise<void> => {
  await shortenPages(db, room, cut);
  const segments = await listSegments(db, await findLeader(db));
  if (segments.some(({ after }) => after < cut)) await raiseFloors(db, [room], cut);
};

/** Whether messages, or facts without one, exist before `cut`. */
const hasOutdated = async (db: UserDatabase, room: RoomKey, cut: Timetoken): Promise<boolean> => {
  const prefix = toRoomPrefix('received', room);
  const facts = db.log.where('key').between(prefix, `${prefix}${cut}`, true, false);
  return (
    (await messagesBefore(db, room, cut).limit(1).count()) > 0 || (await facts.limit(1).count()) > 0
  );
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
  const outdated = new OutdatedFacts(db, room, cut);
  await outdated.read();
  const pruneSome = (): Promise<number> =>
    write(db, db.logged, async () => {
      if (fence !== undefined) await mustHoldFence(db, fence);
      await outdated.catchUp();
      const rows = await messagesBefore(db, room, cut).limit(PRUNE_CHUNK_SIZE).toArray();
      const keys = rows.map(({ key }) => key);
      const local = await findLocalFacts(db, keys);
      await db.log.bulkDelete([
        ...keys.flatMap((key) => outdated.behind.get(key) ?? []),
        ...local.map(({ seq }) => seq),
        ...outdated.orphans.splice(0, PRUNE_CHUNK_SIZE),
      ]);
      await db.messages.bulkDelete(keys);
      const last = rows.at(-1);
      if (last !== undefined) await shortenCoverage(db, room, nextTimetoken(last.timetoken));
      return rows.length;
    });
  let total = 0;
  for (;;) {
    const gone = await pruneSome();
    total += gone;
    if (gone < PRUNE_CHUNK_SIZE && outdated.orphans.length === 0) return total;
  }
};
