import { Dexie } from 'dexie';

import { type Envelope, toFactKey } from '#domain/envelope.ts';
import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import { toNeededRows } from '#domain/project/working-set.ts';
import type { Result } from '#domain/result.ts';

import { loadRows, projectOnto, ReplayNeededError } from './apply.ts';
import type { UserDatabase } from '../schema/database.ts';
import { mustFollowEngine } from './engine.ts';
import { mustBeNewest } from './fence.ts';
import { loadReplay } from './rebuild.ts';
import { mustBeOpen } from './seal.ts';
import { attempt } from '../schema/storage-errors.ts';
import { META, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/**
 * Adds the facts whose key is not in the log yet. The unique index refuses the others one by one,
 * which costs no query and does not abort the transaction.
 */
const addFacts = async (db: UserDatabase, facts: readonly Fact[]): Promise<readonly Envelope[]> => {
  const at = db.clock.now();
  const rows = facts.map((fact) => ({ key: toFactKey(fact), at, fact, v: ROW_VERSION }));
  // `bulkAdd` would report the refused keys or the new positions, but not both.
  const { failures, results } = await db.log.core.mutate({
    type: 'add',
    trans: Dexie.currentTransaction.idbtrans,
    values: rows,
  });
  const fault = Object.values(failures).find(({ name }) => name !== 'ConstraintError');
  if (fault !== undefined) throw fault;
  return rows.flatMap(({ key, fact }, i): readonly Envelope[] => {
    if (failures[i] !== undefined) return [];
    const seq: unknown = results?.[i];
    if (typeof seq !== 'number') throw new Error('A fact got no position.');
    return [{ seq, key, at, fact }];
  });
};

/** Facts from an engine's log, which can be fetched again, as opposed to actions on this device. */
const isFromLog = ({ type }: Fact): boolean =>
  type === 'v1.MessageReceived' ||
  type === 'v1.UnreadableReceived' ||
  type === 'v1.HistoryPageLoaded';

/** Throws, which aborts the transaction, unless the store accepts these facts from this tab. */
const mustAccept = async (
  db: UserDatabase,
  facts: readonly Fact[],
  fence: number | undefined,
): Promise<void> => {
  const [sealed, engine, leader] = await db.meta.bulkGet([META.sealed, META.engine, META.leader]);
  mustBeOpen(sealed);
  if (fence !== undefined || facts.some(isFromLog)) mustFollowEngine(db, engine);
  if (fence !== undefined) mustBeNewest(fence, leader);
};

/**
 * Everything that does not depend on an answer is requested at once: a refused append is rolled
 * back.
 */
const appendInTransaction = async (
  db: UserDatabase,
  facts: readonly Fact[],
  fence: number | undefined,
  replay?: (db: UserDatabase) => Promise<void>,
): Promise<number> => {
  const [envelopes, rows] = await Promise.all([
    addFacts(db, facts),
    loadRows(db, toNeededRows(facts)),
    mustAccept(db, facts, fence),
  ]);
  // After a power cut an item may be queued although its acknowledgement is known: acknowledged
  // again, it leaves the outbox, or it would be sent for ever.
  const isAcknowledged = ({ type }: Fact): boolean => type === 'v1.MessagePublished';
  const repeat = (fact: Fact): Envelope => ({ seq: 0, key: '', at: 0, fact });
  const news = envelopes.length > 0 ? envelopes : facts.filter(isAcknowledged).map(repeat);
  if (news.length > 0) await projectOnto(db, rows, news, replay);
  return envelopes.length;
};

/**
 * The only way to append: adds the new facts to the log and projects them, in one transaction. It
 * is durable unless all facts can be fetched again. The value is the number of new facts. Errors:
 * `fenced`, `quota`, `storage`; nothing is written then.
 */
export const appendFacts = (
  db: UserDatabase,
  facts: readonly Fact[],
  fence?: number,
): Promise<Result<number, AppError>> => {
  const durability = facts.every(isFromLog) ? 'relaxed' : 'strict';
  const append = (replay?: (db: UserDatabase) => Promise<void>) =>
    write(db, db.logged, () => appendInTransaction(db, facts, fence, replay), durability);
  return attempt(db, async () => {
    try {
      return await append();
    } catch (error) {
      if (!(error instanceof ReplayNeededError)) throw error;
      const loaded = await loadReplay(db);
      // The unreadable row is left alone until the next start.
      if (loaded === undefined) db.rebuilt ??= Promise.resolve();
      return append(loaded?.replayLog);
    }
  });
};
