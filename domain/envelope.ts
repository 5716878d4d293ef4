import type { Fact } from './events.ts';

/**
 * A fact as stored. `seq` is the position in this device's log (rising, never reused);
 * `key` makes an append idempotent; `at` is when it was stored, ms since the epoch.
 */
export interface Envelope {
  readonly seq: number;
  readonly key: string;
  readonly at: number;
  readonly fact: Fact;
}

/** Facts about a room; a room's name holds no separator. */
type RoomFactKind = 'received' | 'page' | 'read';

/** Facts about an own message, whose id may hold separators. */
type MessageFactKind = 'queued' | 'attempted' | 'published' | 'failed' | 'retried' | 'discarded';

/** How the keys of one kind of fact about rooms begin. */
export const toKindPrefix = (kind: RoomFactKind): string => `${kind}|`;

/** How the keys of one kind of fact about a room begin, and of no other room. */
export const toRoomPrefix = (kind: RoomFactKind, room: string): string =>
  `${toKindPrefix(kind)}${room}|`;

/** How the keys of one kind of fact about a message begin; those of longer ids may begin so too. */
export const toMessagePrefix = (kind: MessageFactKind, id: string): string => `${kind}|${id}`;

/** The room in a key that begins with `toRoomPrefix`. */
export const toKeyRoom = (key: string): string | undefined => key.split('|')[1];

/**
 * The idempotency key of a fact. A received entry is keyed by its place in the room's log,
 * so that its live and its history copy are one fact; copies of one message under several
 * timetokens are different facts which the thread projection folds into one row.
 * Refusal, retry and discard are keyed by their time: each is an event of its own, so that
 * a message refused again after a retry is failed again. Reading begins once in a log.
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
      return toRoomPrefix('received', fact.room) + fact.timetoken;
    case 'v1.HistoryPageLoaded':
      return `${toRoomPrefix('page', fact.room)}${fact.from}|${fact.to}|${fact.reachedStart ? 1 : 0}`;
    case 'v1.RoomRead':
      return toRoomPrefix('read', fact.room) + fact.timetoken;
    case 'v1.ReadingBegan':
      return 'began';
    default:
      return fact satisfies never;
  }
};
