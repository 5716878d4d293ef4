import type { Fact, FactOf } from '../events.ts';
import type { Change, Rows } from './change.ts';
import { isSameRow, type MessageRow, toMessageKey } from './rows.ts';

/** An entry of a room's log that reached this device. */
export type Received = FactOf<'v1.MessageReceived'> | FactOf<'v1.UnreadableReceived'>;

export const isReceived = (fact: Fact): fact is Received =>
  fact.type === 'v1.MessageReceived' || fact.type === 'v1.UnreadableReceived';

/** The row for an entry of the room's log if it were the only copy. */
export const toReceivedRow = (fact: Received): MessageRow => {
  const { room, timetoken, publisher } = fact;
  if (fact.type === 'v1.UnreadableReceived') {
    const key = toMessageKey(room, publisher, undefined, timetoken);
    const none = { clientName: '', clientAvatar: '' };
    return { key, room, timetoken, publisher, kind: 'unreadable', text: fact.raw, ...none };
  }
  const { text, clientName, clientAvatar } = fact;
  const key = toMessageKey(room, publisher, fact.id, timetoken);
  return { key, room, timetoken, publisher, kind: 'message', text, clientName, clientAvatar };
};

/** Removes an outgoing message from the outbox, because it is in the room's log. */
export const projectEcho = (fact: Received, rows: Rows): readonly Change[] => {
  const item = 'id' in fact && fact.id !== undefined ? rows.items.get(fact.id) : undefined;
  const isOwn = item !== undefined && item.uid === fact.publisher && item.room === fact.room;
  return isOwn ? [{ kind: 'item.removed', id: item.id }] : [];
};

/**
 * Folds a received entry into its row. The copy with the smallest timetoken is shown, so that the
 * order of arrival does not matter. An entry with the timetoken of the row replaces it, because the
 * engine's copy takes precedence over our own record.
 */
export const foldReceived = (fact: Received, rows: Rows): readonly Change[] => {
  const row = toReceivedRow(fact);
  const known = rows.messages.get(row.key);
  const isChanged = !known || (row.timetoken <= known.timetoken && !isSameRow(row, known));
  const changes: Change[] = isChanged ? [{ kind: 'message.put', row }] : [];
  return [...changes, ...projectEcho(fact, rows)];
};
