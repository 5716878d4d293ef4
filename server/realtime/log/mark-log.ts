import type { DatabaseSync } from 'node:sqlite';

import { createListeners } from '#domain/listeners.ts';
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
import { type PageQuery, readPage } from './reader.ts';
import { createTransact } from './transaction.ts';

/**
 * Entries kept per log; older ones are deleted. Clients periodically publish a full snapshot of at
 * most 400 entries, so that the newest entries contain everything.
 */
const ENTRIES_KEPT = 2000;

/** The owner of the staff log; the owner of a user log is a uid, which is never empty. */
export const STAFF = '';

/** An entry before it is appended; `payload` is JSON text without line breaks. */
export interface MarkDraft {
  /** A uid, or `STAFF`. */
  readonly owner: string;
  readonly id: string;
  readonly payload: string;
}

/** One stored entry; `payload` is JSON text. */
export interface MarkRow {
  readonly timetoken: Timetoken;
  readonly payload: string;
}

/** The column `uid` holds the owner. */
const READ = `SELECT timetoken, payload FROM own_log
  WHERE uid = ? AND timetoken > ? AND timetoken < ? ORDER BY timetoken DESC LIMIT ?`;

interface MarkLogClocks {
  /** ms since the epoch */
  readonly now: () => number;
  /**
   * The newest position of the rooms' log. No entry gets an earlier one: it may refer to positions
   * in rooms, and a clock that stepped back would make it look older than those.
   */
  readonly findHead: () => Timetoken;
}

/** Appends drafts in the caller's transaction; also returns the new heads of the logs that grew. */
const createAppend = (sql: DatabaseSync, { now, findHead }: MarkLogClocks) => {
  const findKnown = sql.prepare('SELECT timetoken FROM own_log WHERE uid = ? AND id = ?');
  const findLast = sql.prepare('SELECT max(timetoken) AS last FROM own_log WHERE uid = ?');
  const insert = sql.prepare(
    'INSERT INTO own_log (uid, timetoken, id, payload) VALUES (?, ?, ?, ?)',
  );
  const prune = sql.prepare(`DELETE FROM own_log WHERE uid = ?1 AND timetoken <=
    (SELECT timetoken FROM own_log WHERE uid = ?1 ORDER BY timetoken DESC LIMIT 1 OFFSET ?2)`);
  const readLast = (owner: string): Timetoken =>
    (findLast.get(owner)?.['last'] as Timetoken | null) ?? TIMETOKEN_ZERO;
  return (drafts: readonly MarkDraft[]) => {
    const grown = new Map<string, Timetoken>();
    const answers = drafts.map(({ owner, id, payload }): Timetoken => {
      const known = findKnown.get(owner, id);
      if (known !== undefined) return known['timetoken'] as Timetoken;
      const last = grown.get(owner) ?? readLast(owner);
      if (last === TIMETOKEN_MAX) throw new Error('no timetoken is left');
      // A clock that stands still or steps back must not reorder or repeat positions.
      const timetoken = laterOf(laterOf(fromEpochMs(now()), findHead()), nextTimetoken(last));
      insert.run(owner, timetoken, id, payload);
      grown.set(owner, timetoken);
      return timetoken;
    });
    for (const owner of grown.keys()) prune.run(owner, ENTRIES_KEPT);
    return { answers, grown };
  };
};

/**
 * Opens the durable user logs and the staff log, each with its own positions, in a migrated
 * database; `mustBeInPlace` throws if written data would be lost.
 */
export const createMarkLogStore = (
  sql: DatabaseSync,
  clocks: MarkLogClocks,
  mustBeInPlace: () => void = () => undefined,
) => {
  const listeners = createListeners<[owner: string, timetoken: Timetoken]>();
  const append = createAppend(sql, clocks);
  const transact = createTransact(sql, mustBeInPlace);
  const select = sql.prepare(READ);
  const commits = createGroupCommit((drafts: readonly MarkDraft[]) => {
    const { answers, grown } = transact(() => append(drafts));
    for (const each of grown) listeners.emit(...each);
    return answers;
  });
  return {
    /**
     * Appends an entry and returns its timetoken once it is on disk. A repeat of (owner, id) appends
     * nothing and returns the first timetoken, as long as the entry is kept.
     */
    publish: (draft: MarkDraft): Promise<Result<Timetoken, CommitError>> => commits.add(draft),
    read: (owner: string, query: PageQuery) =>
      readPage<MarkRow>(select, owner, query, ({ payload }) => Buffer.byteLength(payload)),
    /** Called after every commit for each owner whose log grew, with its newest timetoken. */
    onAppend: listeners.add,
    /** Commits pending entries; afterwards the database may be closed. */
    close: () => commits.flush(),
  };
};

export type MarkLogStore = ReturnType<typeof createMarkLogStore>;
