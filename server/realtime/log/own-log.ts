import type { DatabaseSync } from 'node:sqlite';

import type { Result } from '#domain/result.ts';
import {
  fromEpochMs,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { type CommitError, createGroupCommit } from './group-commit.ts';
import { takePage } from './reader.ts';
import { createTransact } from './transaction.ts';

/**
 * Entries kept of each user; older ones are deleted. Now and then a client publishes a snapshot of
 * at most 100 entries that repeats everything, so that the newest entries say all.
 */
const OWN_ENTRIES_KEPT = 2000;

/** An entry before it is appended; `payload` is JSON text without line breaks. */
export interface OwnDraft {
  readonly uid: string;
  readonly id: string;
  readonly payload: string;
}

/** One stored entry; `payload` is JSON text. */
export interface OwnRow {
  readonly timetoken: Timetoken;
  readonly payload: string;
}

export interface OwnRead {
  readonly uid: string;
  /** Maximum number of entries. */
  readonly count: number;
  /** The page ends with the entry that reaches this. */
  readonly bytes?: number | undefined;
  readonly before?: Timetoken | undefined;
  readonly after?: Timetoken | undefined;
}

/** One page of a user's own log. */
export interface OwnRows {
  /** Oldest first. */
  readonly rows: readonly OwnRow[];
  /** Older entries may follow between the bounds. */
  readonly more: boolean;
}

/** The durable logs of single users, each with positions of its own. */
export interface OwnLogStore {
  /**
   * Appends an entry and returns its timetoken once it is on disk. A repeat of (uid, id) appends
   * nothing and returns the first timetoken, as long as the entry is kept.
   */
  publish(draft: OwnDraft): Promise<Result<Timetoken, CommitError>>;
  /** The newest entries of a user strictly between the bounds. */
  read(query: OwnRead): OwnRows;
  /** Called after every commit for each user whose log grew, with its newest timetoken. */
  onAppend(listener: (uid: string, timetoken: Timetoken) => void): () => void;
  /** Commits pending entries; afterwards the database may be closed. */
  close(): void;
}

const READ = `SELECT timetoken, payload FROM own_log
  WHERE uid = ? AND timetoken > ? AND timetoken < ? ORDER BY timetoken DESC LIMIT ?`;

interface OwnLogClocks {
  /** ms since the epoch */
  readonly now: () => number;
  /**
   * The newest position of the rooms' log. No entry gets an earlier one: it may name positions of
   * the rooms, and a clock that stepped back would make it look older than what it names.
   */
  readonly findHead: () => Timetoken;
}

/** Appends drafts in the caller's transaction; also returns the new heads of the logs that grew. */
const createAppend = (sql: DatabaseSync, { now, findHead }: OwnLogClocks) => {
  const findKnown = sql.prepare('SELECT timetoken FROM own_log WHERE uid = ? AND id = ?');
  const findLast = sql.prepare('SELECT max(timetoken) AS last FROM own_log WHERE uid = ?');
  const insert = sql.prepare(
    'INSERT INTO own_log (uid, timetoken, id, payload) VALUES (?, ?, ?, ?)',
  );
  const prune = sql.prepare(`DELETE FROM own_log WHERE uid = ?1 AND timetoken <=
    (SELECT timetoken FROM own_log WHERE uid = ?1 ORDER BY timetoken DESC LIMIT 1 OFFSET ?2)`);
  const readLast = (uid: string): Timetoken =>
    (findLast.get(uid)?.['last'] as Timetoken | null) ?? TIMETOKEN_ZERO;
  return (drafts: readonly OwnDraft[]) => {
    const grown = new Map<string, Timetoken>();
    const answers = drafts.map(({ uid, id, payload }): Timetoken => {
      const known = findKnown.get(uid, id);
      if (known !== undefined) return known['timetoken'] as Timetoken;
      const last = grown.get(uid) ?? readLast(uid);
      if (last === TIMETOKEN_MAX) throw new Error('no timetoken is left');
      // A clock that stands still or steps back must not reorder or repeat positions.
      const timetoken = laterOf(laterOf(fromEpochMs(now()), findHead()), nextTimetoken(last));
      insert.run(uid, timetoken, id, payload);
      grown.set(uid, timetoken);
      return timetoken;
    });
    for (const uid of grown.keys()) prune.run(uid, OWN_ENTRIES_KEPT);
    return { answers, grown };
  };
};

/**
 * Opens the own logs in a migrated database; `mustBeInPlace` throws if written data would not last.
 */
export const createOwnLogStore = (
  sql: DatabaseSync,
  clocks: OwnLogClocks,
  mustBeInPlace: () => void = () => undefined,
): OwnLogStore => {
  const listeners = new Set<(uid: string, timetoken: Timetoken) => void>();
  const append = createAppend(sql, clocks);
  const transact = createTransact(sql, mustBeInPlace);
  const select = sql.prepare(READ);
  const commits = createGroupCommit((drafts: readonly OwnDraft[]) => {
    const { answers, grown } = transact(() => append(drafts));
    for (const [uid, timetoken] of grown) {
      for (const listener of listeners) listener(uid, timetoken);
    }
    return answers;
  });
  return {
    publish: (draft) => commits.add(draft),
    read: ({ uid, count, bytes = Infinity, before, after }) => {
      const [from, to] = [after ?? TIMETOKEN_ZERO, before ?? TIMETOKEN_MAX];
      const found = select.iterate(uid, from, to, count) as Iterable<OwnRow>;
      const { rows, isFull } = takePage(found, { count, bytes }, ({ payload }) => payload.length);
      return { rows: rows.toReversed(), more: isFull };
    },
    onAppend: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => commits.flush(),
  };
};
