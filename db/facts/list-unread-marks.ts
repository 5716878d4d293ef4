import { parseMarkFactKey, toMarkPrefix } from '#domain/envelope.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { type MarkedUnread, parseUnread } from '#domain/schemas/unread-mark.ts';

import type { UserDatabase } from '../schema/database.ts';

export interface Marking extends MarkedUnread {
  /** Identifies this marking of the room, even after a part of it was read. */
  readonly name: string;
}

/** Prefix of the keys of facts about rooms marked as unread. */
export const UNREAD_MARKS = toMarkPrefix('unread');

export type Markings = ReadonlyMap<RoomKey, Marking>;

/**
 * The rooms that are marked as unread, from the keys of their facts: the last key of a room wins.
 */
export const listMarkings = async ({ log }: UserDatabase): Promise<Markings> => {
  const markings = new Map<RoomKey, Marking>();
  for (const { key } of await log.where('key').startsWith(UNREAD_MARKS).toArray()) {
    const [, room, turn, value] = parseMarkFactKey(key);
    const marked = parseUnread(value);
    if (!isRoomKey(room)) continue;
    if (marked === undefined) markings.delete(room);
    else markings.set(room, { ...marked, name: `${turn}.${marked.upTo}` });
  }
  return markings;
};
