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
      return `queued|${fact.id}`;
    case 'v1.PublishAttempted':
      return `attempted|${fact.id}`;
    case 'v1.MessagePublished':
      return `published|${fact.id}|${fact.timetoken}`;
    case 'v1.PublishFailed':
      return `failed|${fact.id}|${fact.at}`;
    case 'v1.MessageRetried':
      return `retried|${fact.id}|${fact.at}`;
    case 'v1.MessageDiscarded':
      return `discarded|${fact.id}|${fact.at}`;
    case 'v1.MessageReceived':
    case 'v1.UnreadableReceived':
      return `received|${fact.room}|${fact.timetoken}`;
    case 'v1.HistoryPageLoaded':
      return `page|${fact.room}|${fact.from}|${fact.to}|${fact.reachedStart ? 1 : 0}`;
    case 'v1.RoomRead':
      return `read|${fact.room}|${fact.timetoken}`;
    case 'v1.ReadingBegan':
      return 'began';
    default:
      return fact satisfies never;
  }
};
