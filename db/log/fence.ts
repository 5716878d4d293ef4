import type { LeaderRow } from '#domain/project/rows.ts';
import { parseLeaderRow } from '#domain/project/row-schemas.ts';

import type { UserDatabase } from '../schema/database.ts';
import { FencedError } from '../schema/storage-errors.ts';
import { META, type MetaRow, ROW_VERSION } from '../schema/tables.ts';

/** The engine of a store without an entry: no other engine existed when it was created. */
const FIRST_ENGINE = 'embedded';

const toName = (row: MetaRow | undefined): string =>
  row?.key === META.engine ? row.name : FIRST_ENGINE;

/** The name of the engine whose log this store replicates. */
export const findEngine = async (db: UserDatabase): Promise<string> =>
  toName(await db.meta.get(META.engine));

/**
 * Throws if another tab has bound the store (`row`) to a different engine than this tab's, whose
 * entries no longer belong in it.
 */
export const mustFollowEngine = (db: UserDatabase, row: MetaRow | undefined): void => {
  if (db.engine === undefined || toName(row) === db.engine) return;
  throw new Error('other engine');
};

const toLeader = (row: unknown): LeaderRow | undefined => {
  const parsed = parseLeaderRow(row);
  return parsed.ok ? parsed.value : undefined;
};

/** The last heartbeat; undefined if there is none or if it is unreadable. */
export const findLeader = async (db: UserDatabase): Promise<LeaderRow | undefined> =>
  toLeader(await db.meta.get(META.leader));

/** The stored heartbeat (`row`); throws `FencedError` unless `fence` is its token. */
export const mustBeNewest = (fence: number, row: unknown): LeaderRow => {
  const leader = toLeader(row);
  if (leader?.fence !== fence) throw new FencedError(`fence ${fence} replaced`);
  return leader;
};

/**
 * Throws `FencedError` unless `fence` is the newest token, and another error if the store follows a
 * different engine than this tab. Either aborts the transaction it runs in.
 */
export const mustHoldFence = async (db: UserDatabase, fence: number): Promise<LeaderRow> => {
  const [engine, leader] = await db.meta.bulkGet([META.engine, META.leader]);
  mustFollowEngine(db, engine);
  return mustBeNewest(fence, leader);
};

/** Replaces the heartbeat row. */
export const saveLeader = (db: UserDatabase, leader: LeaderRow): PromiseLike<string> =>
  db.meta.put({ ...leader, key: META.leader, v: ROW_VERSION });
