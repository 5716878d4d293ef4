import { parseMarkFactKey, toMarkPrefix } from '#domain/envelope.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';
import { type MarkedUnread, parseUnread } from '#domain/schemas/unread-mark.ts';

import type { UserDatabase } from '../schema/database.ts';

export interface UnreadMark extends MarkedUnread {
  /** Identifies this mark of the room, even after a part of it was read. */
  readonly name: string;
}

/** Prefix of the keys of facts about rooms marked as unread. */
export const UNREAD_MARKS = toMarkPrefix('unread');

export type UnreadMarks = ReadonlyMap<RoomKey, UnreadMark>;

/**
 * The rooms that are marked as unread, from the keys of their facts: the last key of a room wins.
 */
export const listUnreadMarks = async ({ log }: UserDatabase): Promise<UnreadMarks> => {
  const unreadMarks = new Map<RoomKey, UnreadMark>();
  for (const { key } of await log.where('key').startsWith(UNREAD_MARKS).toArray()) {
    const [, room, turn, value] = parseMarkFactKey(key);
    const marked = parseUnread(value);
    if (!isRoomKey(room)) continue;
    if (marked === undefined) unreadMarks.delete(room);
    else unreadMarks.set(room, { ...marked, name: `${turn}.${marked.upTo}` });
  }
  return unreadMarks;
};
