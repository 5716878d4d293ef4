import { ROOM_IDS, type RoomKey, splitRoomKey, toRoomKey } from '../rooms.ts';
import type { UnreadGap } from '../ports/storage.ts';
import type { Coverage, MessageRow } from '../project/rows.ts';
import {
  fromEpochMs,
  nextTimetoken,
  previousTimetoken,
  type Timetoken,
  toEpochMs,
} from '../timetoken.ts';

/** Unread messages of one room. */
export interface Unread {
  /** Capped at `UNREAD_COUNTED_MAX`. */
  readonly count: number;
  /** The position of the first one. */
  readonly first: Timetoken;
  /** The position of the newest one. */
  readonly newest: Timetoken;
  /** Identifies the unread mark that includes the first one. */
  readonly markId?: string;
  /** There may be earlier ones after this position that this device does not have. */
  readonly gapAfter?: Timetoken;
}

/** The position after which a room is unread, also with the messages that the device lacks. */
export const toUnreadFrom = ({ first, gapAfter }: Unread): Timetoken =>
  gapAfter ?? previousTimetoken(first);

/** By room; a room without an entry has nothing unread. */
export type UnreadByRoom = ReadonlyMap<RoomKey, Unread>;

/**
 * The gap between what was read and the first unread message, or the newest one if none is known to
 * be unread; undefined if it is complete.
 */
export const findUnreadGap = (
  coverage: Coverage | undefined,
  after: Timetoken,
  first: Timetoken,
): UnreadGap | undefined => {
  const ranges = coverage?.ranges ?? [];
  const at = ranges.findLastIndex(({ from }) => from <= first);
  const before = ranges[at]?.from ?? first;
  return before > nextTimetoken(after) ? { after, before, isLowest: at <= 0 } : undefined;
};

/** A message that took longer from the device to the engine was not sent at once, ms. */
const SENT_AT_ONCE_MS = 10_000;
/** A UUIDv7 begins with its time, ms since the epoch (RFC 9562, section 5.7). */
const UUID_V7 = /(?:^|\|)([\da-f]{8})-([\da-f]{4})-7[^|]+$/;

/**
 * The position up to which a message of the user answers its room: its own, or, if it was sent
 * late, after an outage for example, that of the time when it was written, which its id contains.
 * Its author had not seen messages that others wrote in between.
 */
export const findAnswered = ({
  key,
  timetoken,
}: Pick<MessageRow, 'key' | 'timetoken'>): Timetoken => {
  const [, high = '', low = ''] = UUID_V7.exec(key) ?? [];
  const writtenAt = Number.parseInt(high + low, 16);
  const isLate = toEpochMs(timetoken) - writtenAt > SENT_AT_ONCE_MS;
  return isLate ? fromEpochMs(writtenAt) : timetoken;
};

/** Unread messages in the rooms of one client. */
export const sumClientUnread = (unread: UnreadByRoom, clientId: string): number =>
  ROOM_IDS.reduce((sum, roomId) => sum + (unread.get(toRoomKey(clientId, roomId))?.count ?? 0), 0);

/** Unread messages of all clients that have any, by client id. */
export const sumByClient = (unread: UnreadByRoom): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const [room, { count }] of unread) {
    const { clientId } = splitRoomKey(room);
    sums.set(clientId, (sums.get(clientId) ?? 0) + count);
  }
  return sums;
};

/** The position up to which a room was read here. */
export interface ReadHere {
  readonly upTo: Timetoken;
  /** The unread mark that was read. */
  readonly markId: Unread['markId'];
}

/**
 * The unread messages without the rooms that were read to their end here, up to `positions`: the
 * store still counts those until its answer arrives. A later unread mark is not hidden.
 */
export const withoutRead = (
  unread: UnreadByRoom,
  positions: ReadonlyMap<RoomKey, ReadHere>,
): UnreadByRoom => {
  const isRead = (room: RoomKey, { first, markId }: Unread): boolean => {
    const position = positions.get(room);
    if (position === undefined || first > position.upTo) return false;
    return markId === undefined || markId === position.markId;
  };
  const left = [...unread].filter(([room, found]) => !isRead(room, found));
  return left.length === unread.size ? unread : new Map(left);
};
