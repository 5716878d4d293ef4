import type { FactOf } from '../events.ts';
import { OUTGOING_CLIENT_AVATAR, OUTGOING_CLIENT_NAME } from '../schemas/message.ts';
import { TIMETOKEN_MAX } from '../timetoken.ts';
import type { Change, Rows } from './change.ts';
import { toMessageKey } from './rows.ts';

const NOTHING: readonly Change[] = [];

/** Adds a message to the outbox, unless the room's log already contains it. */
export const projectQueued = (
  fact: FactOf<'v1.MessageQueued'>,
  seq: number,
  rows: Rows,
): readonly Change[] => {
  const { id, room, text, uid, at } = fact;
  if (rows.messages.get(toMessageKey(room, uid, id, TIMETOKEN_MAX))) return NOTHING;
  return [{ kind: 'item.put', item: { id, room, seq, text, uid, at, state: 'queued' } }];
};

/**
 * From now on the room's log may contain an outgoing message; the first attempt records after which
 * position.
 */
export const projectAttempted = (
  fact: FactOf<'v1.PublishAttempted'>,
  rows: Rows,
): readonly Change[] => {
  const item = rows.items.get(fact.id);
  if (!item || item.room !== fact.room || item.attemptedAfter !== undefined) return NOTHING;
  return [{ kind: 'item.put', item: { ...item, attemptedAfter: fact.after } }];
};

/**
 * Moves an acknowledged message from the outbox to the thread, in one step and under the same
 * key. If its echo came first, only the smaller timetoken is stored.
 */
export const projectPublished = (
  fact: FactOf<'v1.MessagePublished'>,
  rows: Rows,
): readonly Change[] => {
  const { id, room, uid, timetoken } = fact;
  const key = toMessageKey(room, uid, id, timetoken);
  const known = rows.messages.get(key);
  const changes: Change[] = [];
  if (known && timetoken < known.timetoken) {
    changes.push({ kind: 'message.put', row: { ...known, timetoken } });
  }
  const item = rows.items.get(id);
  if (!item || item.uid !== uid || item.room !== room) return changes;
  if (!known) {
    const text = item.text.toWellFormed();
    const sender = { clientName: OUTGOING_CLIENT_NAME, clientAvatar: OUTGOING_CLIENT_AVATAR };
    const row = { key, room, timetoken, publisher: uid, kind: 'message', text, ...sender } as const;
    changes.push({ kind: 'message.put', row });
  }
  changes.push({ kind: 'item.removed', id });
  return changes;
};

/** Marks a refused message, which stays in its place and does not block others. */
export const projectFailed = (fact: FactOf<'v1.PublishFailed'>, rows: Rows): readonly Change[] => {
  const item = rows.items.get(fact.id);
  if (!item || item.room !== fact.room) return NOTHING;
  return [{ kind: 'item.put', item: { ...item, state: 'failed', reason: fact.reason } }];
};

/** Queues a refused message again, in its old place. */
export const projectRetried = (
  fact: FactOf<'v1.MessageRetried'>,
  rows: Rows,
): readonly Change[] => {
  const item = rows.items.get(fact.id);
  if (item?.state !== 'failed') return NOTHING;
  const { reason: _reason, ...rest } = item;
  return [{ kind: 'item.put', item: { ...rest, state: 'queued' } }];
};

/** Removes an unsent message that its author deleted. */
export const projectDiscarded = (
  fact: FactOf<'v1.MessageDiscarded'>,
  rows: Rows,
): readonly Change[] =>
  rows.items.get(fact.id) ? [{ kind: 'item.removed', id: fact.id }] : NOTHING;
