import { SUBSCRIBER_STALL_MS } from './limits.ts';
import { type Pages, toFrame } from './pages.ts';
import type { LogStore } from './log/store.ts';
import type { Subscriber, Subscribers } from './subscribers.ts';

export interface Delivery {
  /** Brings subscribers up to the head of the log, page by page, as far as each keeps up. */
  readonly bring: (readers: readonly Subscriber[]) => void;
  /** The same from the next turn on. */
  readonly goOnLater: (subscriber: Subscriber) => void;
  /** Brings one up to the head and tells it so; lets go of one that stalled. */
  readonly beat: (subscriber: Subscriber) => void;
  /** Ends a subscriber's stream. */
  readonly drop: (subscriber: Subscriber) => void;
}

interface Parts {
  readonly store: LogStore;
  readonly pages: Pages;
  readonly subscribers: Subscribers;
  /** ms since the epoch */
  readonly now: () => number;
}

/** Writes to single subscribers. */
const createWriter = ({ store, pages, now }: Parts) => {
  const write = (subscriber: Subscriber, frame: Buffer): void => {
    if (!subscriber.sink.write(frame)) subscriber.slowSince = now();
  };
  return {
    /** The next page of the log, if the far end keeps up. True when nothing comes after it. */
    sendPage: (subscriber: Subscriber): boolean => {
      if (subscriber.slowSince !== undefined) return false;
      const page = pages.find(subscriber.scope, subscriber.cursor);
      if (page === undefined) return true;
      subscriber.cursor = page.last;
      write(subscriber, page.frame);
      return !page.more;
    },
    /** For one that keeps up and has everything of its rooms. */
    sendBeat: (subscriber: Subscriber): void => {
      subscriber.cursor = store.head();
      subscriber.greeted = true;
      write(subscriber, toFrame('beat', `{"cursor":"${subscriber.cursor}"}`));
    },
  };
};

/**
 * What a subscriber gets is always read from the log after its own cursor, so that a slow
 * or returning one misses nothing and holds no queue in memory. One page each goes out at a
 * turn: a reader of a long backlog holds up nobody else.
 */
export const createDelivery = (parts: Parts): Delivery => {
  const { pages, subscribers, now } = parts;
  const { sendPage, sendBeat } = createWriter(parts);
  /** Keep up and have more to get, at the next turn. */
  const behind = new Set<Subscriber>();
  const goOnLater = (subscriber: Subscriber): void => {
    if (behind.size === 0) setImmediate(() => bring(takeBehind()));
    behind.add(subscriber);
  };
  const takeBehind = (): readonly Subscriber[] => {
    const readers = [...behind].filter((reader) => subscribers.has(reader));
    behind.clear();
    return readers;
  };
  const drop = (subscriber: Subscriber): void => {
    if (subscribers.remove(subscriber)) subscriber.sink.end(subscriber.slowSince !== undefined);
  };
  const bring = (readers: readonly Subscriber[]): void => {
    for (const subscriber of readers) {
      try {
        const hasAll = sendPage(subscriber);
        if (subscriber.slowSince !== undefined) continue;
        if (!hasAll) goOnLater(subscriber);
        else if (!subscriber.greeted) sendBeat(subscriber);
      } catch {
        // The log cannot be read: the far end comes back with its cursor.
        drop(subscriber);
      }
    }
    pages.forget();
  };
  const beat = (subscriber: Subscriber): void => {
    if (subscriber.slowSince === undefined) bring([subscriber]);
    if (!subscribers.has(subscriber)) return;
    if (subscriber.slowSince === undefined) {
      if (!behind.has(subscriber)) sendBeat(subscriber);
    } else if (now() - subscriber.slowSince > SUBSCRIBER_STALL_MS) drop(subscriber);
  };
  return { bring, goOnLater, beat, drop };
};
