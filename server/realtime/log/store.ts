import type { DatabaseSync } from 'node:sqlite';

import { createListeners } from '#domain/listeners.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  fromEpochMs,
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { type CommitError, createGroupCommit } from './group-commit.ts';
import type { Draft } from './row.ts';
import { createLogReader } from './reader.ts';
import { createTransact } from './transaction.ts';

/**
 * Appends drafts in one transaction, after `last`; returns their timetokens, the new last one
 * and the rooms that grew.
 */
const createAppend = (sql: DatabaseSync, now: () => number) => {
  const findKnown = sql.prepare(
    'SELECT timetoken FROM log WHERE room = ? AND publisher = ? AND id = ?',
  );
  const insert = sql.prepare(`
    INSERT INTO log (timetoken, room, ordinal, publisher, id, message) VALUES (?1, ?2,
      1 + coalesce((SELECT ordinal FROM log WHERE room = ?2 ORDER BY timetoken DESC LIMIT 1), 0),
      ?3, ?4, ?5)`);
  return (drafts: readonly Draft[], last: Timetoken) => {
    const grown = new Set<RoomKey>();
    let head = last;
    const answers = drafts.map(({ room, publisher, id, message }): Timetoken => {
      const known = findKnown.get(room, publisher, id);
      if (known !== undefined) return known['timetoken'] as Timetoken;
      if (head === TIMETOKEN_MAX) throw new Error('no timetoken is left');
      // A clock that stands still or steps back must not reorder or repeat positions.
      head = laterOf(fromEpochMs(now()), nextTimetoken(head));
      insert.run(head, room, publisher, id, message);
      grown.add(room);
      return head;
    });
    return { answers, head, grown };
  };
};

const readHead = (sql: DatabaseSync): Timetoken =>
  (sql.prepare('SELECT max(timetoken) AS head FROM log').get()?.['head'] as Timetoken | null) ??
  TIMETOKEN_ZERO;

/**
 * Opens the durable log of all rooms in a migrated database. Reads see committed entries only. `now`
 * is in ms since the epoch; `mustBeInPlace` throws if written data would be lost.
 */
export const createLogStore = (
  sql: DatabaseSync,
  now: () => number = Date.now,
  mustBeInPlace: () => void = () => undefined,
) => {
  const listeners = createListeners<[ReadonlySet<RoomKey>]>();
  const timers = createListeners<[seconds: number]>();
  const append = createAppend(sql, now);
  const transact = createTransact(sql, mustBeInPlace);
  let head = readHead(sql);

  const commit = (drafts: readonly Draft[]): readonly Timetoken[] => {
    const begin = performance.now();
    const appended = transact(() => append(drafts, head));
    timers.emit((performance.now() - begin) / 1000);
    if (appended.grown.size === 0) return appended.answers;
    head = appended.head;
    listeners.emit(appended.grown);
    return appended.answers;
  };

  const commits = createGroupCommit(commit);
  return {
    ...createLogReader(sql),
    /**
     * Appends an entry and returns its timetoken once it is on disk. A repeat of (room,
     * publisher, id) appends nothing and returns the first timetoken.
     */
    publish: (draft: Draft): Promise<Result<Timetoken, CommitError>> => commits.add(draft),
    /** The newest committed timetoken; nothing at or below it is ever added later. */
    head: () => head,
    /** Called after every commit that appended something, with the rooms that grew. */
    onAppend: listeners.add,
    /** Called after every durable transaction with the seconds it took. */
    onCommit: timers.add,
    /** Commits pending items; afterwards the database may be closed. */
    close: () => commits.flush(),
  };
};

export type LogStore = ReturnType<typeof createLogStore>;
