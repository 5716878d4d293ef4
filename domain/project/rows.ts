import type { LinkStatus } from '../link-status.ts';
import { type ALL_ROOMS, isRoomKey, type RoomKey } from '../rooms.ts';
import { parseTimetoken, type Timetoken } from '../timetoken.ts';

/**
 * One visible entry of a room's log. `key` is stable for the life of the message: the own
 * copy, the live copy and the history copy of one message share it.
 */
export interface MessageRow {
  readonly key: string;
  readonly room: RoomKey;
  /** The smallest timetoken under which the message was seen. */
  readonly timetoken: Timetoken;
  /** As stated by the engine. */
  readonly publisher: string;
  readonly kind: 'message' | 'unreadable';
  /** Text of a message, clipped JSON of an unreadable entry. */
  readonly text: string;
  readonly clientName: string;
  readonly clientAvatar: string;
}

/** True when two rows of one key show the same. */
export const isSameRow = (a: MessageRow, b: MessageRow): boolean =>
  a.timetoken === b.timetoken &&
  a.text === b.text &&
  a.kind === b.kind &&
  a.clientName === b.clientName &&
  a.clientAvatar === b.clientAvatar;

/** What is known of a room's log: disjoint ranges in rising order, and whether they start it. */
export interface Coverage {
  readonly room: RoomKey;
  readonly ranges: readonly { readonly from: Timetoken; readonly to: Timetoken }[];
  readonly reachedStart: boolean;
}

/** An own message on its way; `seq` is the order of acceptance. */
export interface OutboxItem {
  readonly id: string;
  readonly room: RoomKey;
  readonly seq: number;
  readonly text: string;
  readonly uid: string;
  /** ms since the epoch */
  readonly at: number;
  readonly state: 'queued' | 'failed';
  /** Tried already: if it arrived, the room's log holds it after this. */
  readonly attemptedAfter?: Timetoken;
  /** Shown with a failed message. */
  readonly reason?: string;
}

export interface LeaderRow {
  readonly fence: number;
  readonly tabId: string;
  readonly at: number;
  readonly link: LinkStatus;
  /** Up to there everything came with the stream, in whatever tab it was. */
  readonly cursor?: Timetoken;
}

/** What happened last in a room, and up to where it was read; from there unread is counted. */
export interface RoomActivity {
  readonly room: RoomKey | typeof ALL_ROOMS;
  /** Of the newest entry received, whoever wrote it; zero while none is known. */
  readonly newest: Timetoken;
  /** Zero while nobody read it here. */
  readonly readUpTo: Timetoken;
  /** 1 while something newer than what was read is known; a number, since indices take no boolean. */
  readonly pending: 0 | 1;
}

/** What the thread shows: log entries in timetoken order, then own messages on their way. */
export type ThreadItem =
  | {
      readonly source: 'log';
      readonly key: string;
      readonly own: boolean;
      readonly row: MessageRow;
      /** Messages after this one are missing here still. */
      readonly gapAfter: boolean;
    }
  | {
      readonly source: 'outbox';
      readonly key: string;
      readonly own: true;
      readonly item: OutboxItem;
    };

/**
 * Row key of a message: publisher and payload id where there is an id (never the id alone,
 * or a hostile publisher could suppress somebody else's message), else its place in the log.
 */
export const toMessageKey = (
  room: RoomKey,
  publisher: string,
  id: string | undefined,
  timetoken: Timetoken,
): string => {
  if (id === undefined) return `${room}|@${timetoken}`;
  // A separator inside a publisher's name must not let it spell another publisher's key.
  const safePublisher = publisher.replaceAll('%', '%25').replaceAll('|', '%7C');
  return `${room}|${safePublisher}|${id}`;
};

/** What a row key is made of. */
export type MessageKeyParts =
  | { readonly room: RoomKey; readonly publisher: string; readonly id: string }
  | { readonly room: RoomKey; readonly timetoken: Timetoken };

/**
 * The inverse of `toMessageKey`; undefined for what is no row key. Neither a room nor an
 * escaped publisher holds a separator, so that whatever follows the second one is the id.
 */
export const parseMessageKey = (key: string): MessageKeyParts | undefined => {
  const [room, publisher, ...id] = key.split('|');
  if (!isRoomKey(room) || publisher === undefined) return undefined;
  if (id.length > 0) {
    const name = publisher.replaceAll(/%(?:25|7C)/g, (code) => (code === '%25' ? '%' : '|'));
    return { room, publisher: name, id: id.join('|') };
  }
  const timetoken = publisher.startsWith('@') ? parseTimetoken(publisher.slice(1)) : undefined;
  return timetoken && { room, timetoken };
};
