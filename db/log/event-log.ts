import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import { isReceived } from '#domain/project/received.ts';
import { type PlacedFact, toNeededRows } from '#domain/project/working-set.ts';
import type { Result } from '#domain/result.ts';

import { loadRows, projectOnto, ReplayNeededError } from './apply.ts';
import { addFacts } from '../facts/add-facts.ts';
import { storeReceived } from '../facts/store-received.ts';
import type { UserDatabase } from '../schema/database.ts';
import { mustBeNewest, mustFollowEngine } from './fence.ts';
import { loadReplay } from './rebuild.ts';
import { attempt, SealedError } from '../schema/storage-errors.ts';
import { META } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** Facts from an engine's log, which can be fetched again, as opposed to actions on this device. */
const isFromLog = (fact: Fact): boolean => isReceived(fact) || fact.type === 'v1.HistoryPageLoaded';

/**
 * Throws, which aborts the transaction, unless the store accepts these facts from this tab: not
 * once it is about to be deleted (`closeForDeletion`).
 */
const mustAccept = async (
  db: UserDatabase,
  facts: readonly Fact[],
  fence: number | undefined,
): Promise<void> => {
  const [sealed, engine, leader] = await db.meta.bulkGet([META.sealed, META.engine, META.leader]);
  if (sealed !== undefined) throw new SealedError('the store is about to be deleted');
  if (fence !== undefined || facts.some(isFromLog)) mustFollowEngine(db, engine);
  if (fence !== undefined) mustBeNewest(fence, leader);
};

/** Local actions and received messages can change the same rows, so their order matters. */
const toKind = (fact: Fact): 'own' | 'received' | undefined =>
  isReceived(fact) ? 'received' : 'id' in fact ? 'own' : undefined;

/** Splits facts into parts that may be stored at once: received entries, or local actions. */
const toParts = (facts: readonly Fact[]): readonly (readonly Fact[])[] => {
  const parts: Fact[][] = [];
  let last: ReturnType<typeof toKind>;
  for (const fact of facts) {
    const kind = toKind(fact) ?? last;
    const part = parts.at(-1);
    if (part === undefined || (last !== undefined && kind !== last)) parts.push([fact]);
    else part.push(fact);
    last = kind;
  }
  return parts;
};

type Replay = ((db: UserDatabase) => Promise<void>) | undefined;

/** All requests that do not depend on a result are made at once. */
const appendPart = async (
  db: UserDatabase,
  facts: readonly Fact[],
  replay: Replay,
): Promise<number> => {
  const [placed, envelopes, rows] = await Promise.all([
    storeReceived(db, facts.filter(isReceived)),
    addFacts(
      db,
      facts.filter((fact) => !isReceived(fact)),
    ),
    loadRows(db, toNeededRows(facts)),
  ]);
  // After a power cut, an item may be queued although its acknowledgement is known. Projecting the
  // acknowledgement again removes the item, which would otherwise be sent forever.
  const added = new Set(envelopes.map(({ fact }) => fact));
  const isRepeated = (fact: Fact): boolean =>
    fact.type === 'v1.MessagePublished' && !added.has(fact);
  const repeat = (fact: Fact): PlacedFact => ({ seq: 0, fact });
  const others = [...envelopes, ...facts.filter(isRepeated).map(repeat)];
  if (others.length > 0 || placed.stored.length > 0) {
    await projectOnto(db, rows, placed.stored, others, replay);
  }
  return envelopes.length + placed.addedCount;
};

/** `appendFacts` in the caller's transaction. A refused append is rolled back. */
export const appendInTransaction = async (
  db: UserDatabase,
  facts: readonly Fact[],
  fence?: number,
  replay?: Replay,
): Promise<number> => {
  const [first = [], ...rest] = toParts(facts);
  const [added] = await Promise.all([appendPart(db, first, replay), mustAccept(db, facts, fence)]);
  let total = added;
  for (const part of rest) total += await appendPart(db, part, replay);
  return total;
};

/**
 * The only way to append: adds the new facts to the log and to the entries and projects them, in
 * one transaction. It is durable unless every fact can be fetched again or is a read position of
 * this tab. The value is the number of new facts. Errors: `fenced`, `quota`, `storage`; nothing is
 * written then.
 */
export const appendFacts = (
  db: UserDatabase,
  facts: readonly Fact[],
  fence?: number,
): Promise<Result<number, AppError>> => {
  // A read position of this tab can be lost in a power cut: the messages count as unread again. One
  // that the leader took from the user log is not read from there again.
  const isExpendable = (fact: Fact): boolean =>
    isFromLog(fact) || (fence === undefined && fact.type === 'v1.RoomRead');
  const durability = facts.every(isExpendable) ? 'relaxed' : 'strict';
  const append = (replay?: (db: UserDatabase) => Promise<void>) =>
    write(db, db.logged, () => appendInTransaction(db, facts, fence, replay), durability);
  return attempt(db, async () => {
    try {
      return await append();
    } catch (error) {
      if (!(error instanceof ReplayNeededError)) throw error;
      const loaded = await loadReplay(db);
      // The unreadable row stays as it is until the next start.
      if (loaded === undefined) db.rebuilt ??= Promise.resolve();
      return append(loaded?.replayLog);
    }
  });
};
