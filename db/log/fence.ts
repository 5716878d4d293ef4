import type { LinkStatus } from '#domain/link-status.ts';
import type { LeaderRow } from '#domain/project/rows.ts';
import { parseLeaderRow } from '#domain/project/row-schemas.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import type { UserDatabase } from '../schema/database.ts';
import { mustFollowEngine } from './engine.ts';
import { FencedError } from '../schema/storage-errors.ts';
import { META, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

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
 * Throws `FencedError` unless `fence` is the newest token, and if the store follows another
 * engine than this tab. Aborts the transaction it runs in.
 */
export const mustHoldFence = async (db: UserDatabase, fence: number): Promise<LeaderRow> => {
  const [engine, leader] = await db.meta.bulkGet([META.engine, META.leader]);
  mustFollowEngine(db, engine);
  return mustBeNewest(fence, leader);
};

/** Replaces the heartbeat row. */
export const saveLeader = (db: UserDatabase, leader: LeaderRow): PromiseLike<string> =>
  db.meta.put({ ...leader, key: META.leader, v: ROW_VERSION });

/**
 * Takes the next fencing token. The segment of the last leader's stream ends at its cursor. Tokens
 * only rise, also across a power cut.
 */
export const takeFence = (db: UserDatabase, tabId: string, at: number): Promise<number> =>
  write(db, [db.meta], async () => {
    const last = await findLeader(db);
    const fence = (last?.fence ?? 0) + 1;
    const until = last?.until ?? last?.cursor ?? last?.since;
    await saveLeader(db, {
      ...last,
      fence,
      tabId,
      at,
      link: { kind: 'connecting' },
      ...(last?.since !== undefined && until !== undefined && { until }),
    });
    return fence;
  });

/**
 * Writes the leader's heartbeat; throws `FencedError` if the leader was replaced. A power cut may
 * lose it; decision 61 says when a cursor may then be ahead of the messages.
 */
export const writeBeat = (
  db: UserDatabase,
  fence: number,
  at: number,
  link: LinkStatus,
  cursor: Timetoken | undefined,
): Promise<void> => {
  const beat = async () => {
    const last = await mustHoldFence(db, fence);
    await saveLeader(db, { ...last, at, link, ...(cursor && { cursor }) });
  };
  return write(db, [db.meta], beat, 'relaxed');
};
