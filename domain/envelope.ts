import type { Fact } from './events.ts';
import { ALL_ROOMS } from './rooms.ts';

/**
 * A fact as stored. `seq` is the position in this device's log (increasing, never reused); `key`
 * makes an append idempotent; `at` is when it was stored, ms since the epoch.
 */
export interface Envelope {
  readonly seq: number;
  readonly key: string;
  readonly at: number;
  readonly fact: Fact;
}

/**
 * Key prefixes of facts about a room; a room follows, which contains no separator. Page keys keep
 * the prefix of earlier versions, so that those versions also clear them when the log is replaced.
 * Earlier versions do not read them as coverage, because they cannot read the entries behind them.
 */
const ROOM_PREFIXES = {
  copy: 'copy|',
  page: 'page|+',
  read: 'read|',
  floor: 'floor|',
  mark: 'mark|',
} as const;
type RoomFactKind = keyof typeof ROOM_PREFIXES;

/** Facts about an outgoing message, whose id may contain separators. */
type MessageFactKind = 'queued' | 'attempted' | 'published' | 'failed' | 'retried' | 'discarded';

/** Prefix of the keys of one kind of room fact. */
export const toKindPrefix = (kind: RoomFactKind): string => ROOM_PREFIXES[kind];

/** Prefix of the keys of stream segments. */
export const SEGMENT_PREFIX = `${ROOM_PREFIXES.page}${ALL_ROOMS}|`;

/** Key prefixes of facts that version 4 of the user's database stores differently. */
export const OLD_PREFIXES = {
  received: 'received|',
  page: 'page|',
  segment: `page|${ALL_ROOMS}|`,
} as const;

/** Prefix of the keys of one kind of fact about exactly this room. */
export const toRoomPrefix = (kind: RoomFactKind, room: string): string =>
  `${toKindPrefix(kind)}${room}|`;

/** Prefix of the keys of one kind of fact about a message; keys of longer ids may share it. */
export const toMessagePrefix = (kind: MessageFactKind, id: string): string => `${kind}|${id}`;

/** The room in a key that starts with `toRoomPrefix`, or with a prefix of earlier versions. */
export const toKeyRoom = (key: string): string | undefined => {
  const room = key.split('|')[1];
  return room?.startsWith('+') ? room.slice(1) : room;
};

type MarkFact = Extract<Fact, { readonly type: 'v1.RoomMarked' | 'v1.ChoiceMade' }>;

/** Prefix of the keys of facts about one kind of mark. */
export const toMarkPrefix = (kind: string): string => `${ROOM_PREFIXES.mark}${kind}:`;

/** A mark in the key of its fact, padded so that the last key about a mark is the latest one. */
const toMarkFactKey = (fact: MarkFact): string => {
  const subject = 'room' in fact ? fact.room : fact.subject;
  return `${toMarkPrefix(fact.kind)}${subject}|${String(fact.turn).padStart(10, '0')}|${fact.value}`;
};

/**
 * The inverse of `toMarkFactKey`: the key of the mark, its subject, its turn (NaN if the key is
 * damaged) and its value, which may contain separators.
 */
export const parseMarkFactKey = (factKey: string) => {
  const [, key = '', turn, ...value] = factKey.split('|');
  return [key, key.slice(key.indexOf(':') + 1), Number(turn), value.join('|')] as const;
};

/**
 * The idempotency key of a fact. Received entries are in a separate table; the log has only further
 * copies of one message under other timetokens, keyed by their position. Refusal, retry and discard
 * are keyed by their time, so that each one counts: a message that is refused again after a retry
 * fails again. Reading begins once per log. A segment of the stream has one fact at a time, and so
 * has the floor of a room.
 */
export const toFactKey = (fact: Fact): string => {
  switch (fact.type) {
    case 'v1.MessageQueued':
      return toMessagePrefix('queued', fact.id);
    case 'v1.PublishAttempted':
      return toMessagePrefix('attempted', fact.id);
    case 'v1.MessagePublished':
      return `${toMessagePrefix('published', fact.id)}|${fact.timetoken}`;
    case 'v1.PublishFailed':
      return `${toMessagePrefix('failed', fact.id)}|${fact.at}`;
    case 'v1.MessageRetried':
      return `${toMessagePrefix('retried', fact.id)}|${fact.at}`;
    case 'v1.MessageDiscarded':
      return `${toMessagePrefix('discarded', fact.id)}|${fact.at}`;
    case 'v1.MessageReceived':
    case 'v1.UnreadableReceived':
      return toRoomPrefix('copy', fact.room) + fact.timetoken;
    case 'v1.HistoryPageLoaded':
      return `${toRoomPrefix('page', fact.room)}${fact.from}|${fact.to}|${fact.reachedStart ? 1 : 0}`;
    case 'v1.StreamOpened':
    case 'v1.StreamCovered':
      return SEGMENT_PREFIX + fact.after;
    case 'v1.RoomFloored':
      return toRoomPrefix('floor', fact.room);
    case 'v1.RoomRead':
      return toRoomPrefix('read', fact.room) + fact.timetoken;
    case 'v1.ReadingBegan':
      return `began|${fact.timetoken}`;
    case 'v1.RoomMarked':
    case 'v1.ChoiceMade':
      return toMarkFactKey(fact);
    default:
      return fact satisfies never;
  }
};
