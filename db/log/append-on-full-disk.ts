import type { AppError } from '#domain/errors.ts';
import type { Fact, FactType } from '#domain/events.ts';
import { isReceived, toReceivedRow } from '#domain/project/received.ts';
import type { MessageRow } from '#domain/project/rows.ts';
import type { Result } from '#domain/result.ts';

import type { UserDatabase } from '../schema/database.ts';
import { appendFacts } from './event-log.ts';
import { hold, release } from '../schema/held.ts';
import { makeReadSpace, makeSpace } from './retention.ts';
import { attempt } from '../schema/storage-errors.ts';

const toRows = (facts: readonly Fact[]): readonly MessageRow[] =>
  facts.filter(isReceived).map(toReceivedRow);

/**
 * Facts about the user's own actions, which no server can restore. A choice is not among them: no
 * history is deleted for a setting.
 */
const PRUNE_FOR: ReadonlySet<FactType> = new Set([
  'v1.MessageQueued',
  'v1.PublishAttempted',
  'v1.MessagePublished',
  'v1.PublishFailed',
  'v1.MessageRetried',
  'v1.MessageDiscarded',
  'v1.RoomMarked',
]);

const isMark = ({ type }: Fact): boolean => type === 'v1.RoomMarked' || type === 'v1.RoomRead';

/**
 * Appends; on a full disk, prunes cached history and appends again. Unread messages are pruned
 * last, and not for a mark. If nothing was pruned, returns the first error.
 */
const appendMakingSpace = async (
  db: UserDatabase,
  facts: readonly Fact[],
  fence: number | undefined,
): Promise<Result<number, AppError>> => {
  const first = await appendFacts(db, facts, fence);
  if (first.ok || first.error.kind !== 'quota') return first;
  const read = await attempt(db, () => makeReadSpace(db));
  if (!read.ok) return first;
  const { pruned, unread } = read.value;
  const second = pruned > 0 ? await appendFacts(db, facts, fence) : first;
  const isOver = second.ok || second.error.kind !== 'quota' || unread.length === 0;
  if (isOver || facts.every(isMark)) return second;
  const more = await attempt(db, () => makeSpace(db, unread));
  return more.ok && more.value > 0 ? appendFacts(db, facts, fence) : second;
};

/**
 * Appends again after a full disk refused. For facts about the user's own actions, the disk is
 * checked again, then cached history is pruned; received messages are shown from memory.
 */
const appendAgain = async (
  db: UserDatabase,
  facts: readonly Fact[],
  fence: number | undefined,
): Promise<Result<number, AppError>> => {
  const mayPrune = facts.some(({ type }) => PRUNE_FOR.has(type));
  if (mayPrune && db.space.view.isFull) await db.space.retry();
  const stored = await (mayPrune ? appendMakingSpace : appendFacts)(db, facts, fence);
  const isRefused = !stored.ok && stored.error.kind === 'quota';
  // The space state outlives a user's store and is visible to the next user.
  if (isRefused && !db.isEnded) hold(db, toRows(facts));
  return stored;
};

/**
 * Handles an append that a full disk refused, or that was made while messages are held in memory.
 */
export const appendOnFullDisk = async (
  db: UserDatabase,
  facts: readonly Fact[],
  fence: number | undefined,
  first: Result<number, AppError>,
): Promise<Result<number, AppError>> => {
  const stored = first.ok ? first : await appendAgain(db, facts, fence);
  if (stored.ok) release(db.space, new Set(toRows(facts).map(({ key }) => key)));
  return stored;
};
