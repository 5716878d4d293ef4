import type { OutboxItem } from '../project/rows.ts';
import type { RoomKey } from '../rooms.ts';

/**
 * The user's messages that did not reach the server, by room, in the order in which they were
 * written. While online, a queued message is being sent: it counts only once it is refused.
 */
export const groupUnsent = (
  items: readonly OutboxItem[],
  isOnline: boolean,
): ReadonlyMap<RoomKey, readonly OutboxItem[]> => {
  const unsent = new Map<RoomKey, OutboxItem[]>();
  for (const item of items) {
    if (item.state === 'queued' && isOnline) continue;
    const known = unsent.get(item.room);
    if (known === undefined) unsent.set(item.room, [item]);
    else known.push(item);
  }
  return unsent;
};

/** The one to show of several: a refused message needs its user, a queued one is sent by itself. */
export const findMostUrgent = (items: readonly OutboxItem[]): OutboxItem | undefined =>
  items.find(({ state }) => state === 'failed') ?? items[0];

/** The rooms with a reply that will be sent. */
export const listQueued = (items: readonly OutboxItem[]): ReadonlySet<RoomKey> =>
  new Set(items.filter(({ state }) => state === 'queued').map(({ room }) => room));
