import type { LinkStatus } from '../link-status.ts';
import { type ALL_ROOMS, isRoomKey, type RoomKey } from '../rooms.ts';
import { compareTimetokens, parseTimetoken, type Timetoken } from '../timetoken.ts';

/**
 * One visible entry of a room's log. `key` is stable for the life of the message: the local copy,
 * the live copy and the history copy of one message share it.
 */
export interface MessageRow {
  readonly key: string;
  readonly room: RoomKey;
  /** The smallest timetoken under which the message was seen. */
  readonly timetoken: Timetoken;
  /** As stated by the engine. */
  readonly publisher: string;
  readonly kind: 'message' | 'unreadable';
  /** Text of a message, or clipped JSON of an unreadable entry. */
  readonly text: string;
  readonly clientName: string;
  readonly clientAvatar: string;
}

/** True when two rows with one key look the same. */
export const isSameRow = (a: MessageRow, b: MessageRow): boolean =>
  a.timetoken === b.timetoken &&
  a.text === b.text &&
  a.kind === b.kind &&
  a.clientName === b.clientName &&
  a.clientAvatar === b.clientAvatar;

/** The order of a thread: by position, and by key where two messages share it. */
export const byPosition = (a: MessageRow, b: MessageRow): number => {
  if (a.timetoken !== b.timetoken) return compareTimetokens(a.timetoken, b.timetoken);
  return a.key < b.key ? -1 : Number(a.key > b.key);
};

/**
 * The known part of a room's log: disjoint ranges in ascending order, and whether they include its
 * start.
 */
export interface Coverage {
  readonly room: RoomKey;
  readonly ranges: readonly { readonly from: Timetoken; readonly to: Timetoken }[];
  readonly reachedStart: boolean;
}

/** An unsent message of the user; `seq` is the order of acceptance. */
export interface OutboxItem {
  readonly id: string;
  readonly room: RoomKey;
  readonly seq: number;
  readonly text: string;
  readonly uid: string;
  /** ms since the epoch */
  readonly at: number;
  readonly state: 'queued' | 'failed';
  /** Set once it was attempted: if it arrived, it is in the room's log after this position. */
  readonly attemptedAfter?: Timetoken;
  /** Shown with a failed message. */
  readonly reason?: string;
}

export interface LeaderRow {
  readonly fence: number;
  readonly tabId: string;
  readonly at: number;
  readonly link: LinkStatus;
  /** The stream delivered everything up to here, in any tab. */
  readonly cursor?: Timetoken;
  /** While the stream is open: it left nothing out after this position, up to `cursor`. */
  readonly since?: Timetoken;
  /** Where the stream of the previous leader ended; until this one has opened its own. */
  readonly until?: Timetoken;
}

/** The newest entry of a room and its read position, from which unread is counted. */
export interface RoomActivity {
  readonly room: RoomKey | typeof ALL_ROOMS;
  /** The position of the newest entry received, from any publisher; zero while none is known. */
  readonly newest: Timetoken;
  /** Zero while nothing was read on this device. */
  readonly readUpTo: Timetoken;
  /** 1 while an entry after the read position is known; a number, since indices lack booleans. */
  readonly pending: 0 | 1;
}

/** What the thread shows: log entries in timetoken order, then the user's unsent messages. */
export type ThreadItem =
  | {
      readonly source: 'log';
      readonly key: string;
      readonly own: boolean;
      readonly row: MessageRow;
      /** Messages after this one are still missing on this device. */
      readonly gapAfter: boolean;
    }
  | {
      readonly source: 'outbox';
      readonly key: string;
      readonly own: true;
      readonly item: OutboxItem;
    };

/**
 * Row key of a message: publisher and payload id if there is an id (never the id alone, or a
 * hostile publisher could suppress another publisher's message), else its position in the log.
 */
export const toMessageKey = (
  room: RoomKey,
  publisher: string,
  id: string | undefined,
  timetoken: Timetoken,
): string => {
  if (id === undefined) return `${room}|@${timetoken}`;
  // A separator inside a publisher's name must not produce another publisher's key.
  const safePublisher = publisher.replaceAll('%', '%25').replaceAll('|', '%7C');
  return `${room}|${safePublisher}|${id}`;
};

export type MessageKeyParts =
  | { readonly room: RoomKey; readonly publisher: string; readonly id: string }
  | { readonly room: RoomKey; readonly timetoken: Timetoken };

/** The publisher of a message, from the second part of its row key. */
export const unescapePublisher = (escaped: string): string =>
  escaped.replaceAll(/%(?:25|7C)/g, (code) => (code === '%25' ? '%' : '|'));

/**
 * The inverse of `toMessageKey`; undefined for anything that is not a row key. Neither a room
 * nor an escaped publisher contains a separator, so everything after the second one is the id.
 */
export const parseMessageKey = (key: string): MessageKeyParts | undefined => {
  const [room, publisher, ...id] = key.split('|');
  if (!isRoomKey(room) || publisher === undefined) return undefined;
  if (id.length > 0) {
    return { room, publisher: unescapePublisher(publisher), id: id.join('|') };
  }
  const timetoken = publisher.startsWith('@') ? parseTimetoken(publisher.slice(1)) : undefined;
  return timetoken && { room, timetoken };
};
