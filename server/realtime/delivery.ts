import { SUBSCRIBER_STALL_MS } from './limits.ts';
import { type Pages, toFrame } from './pages.ts';
import type { LogStore } from './log/store.ts';
import type { Subscriber, Subscribers } from './subscribers.ts';

export interface Delivery {
  /** Delivers the log to subscribers up to its head, page by page, as fast as each reads. */
  readonly bring: (readers: readonly Subscriber[]) => void;
  /** Does the same for one subscriber, starting at the next turn. */
  readonly scheduleNextPage: (subscriber: Subscriber) => void;
  /** Delivers up to the head and then sends a beat; disconnects a subscriber that stalled. */
  readonly beat: (subscriber: Subscriber) => void;
  /** Sends an event that is not part of the log; it is lost if the subscriber does not keep up. */
  readonly notify: (subscriber: Subscriber, frame: Buffer) => void;
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
const createWriter = ({ store, pages, subscribers, now }: Parts) => {
  const write = (subscriber: Subscriber, frame: Buffer): void => {
    if (!subscriber.sink.write(frame)) subscriber.slowSince = now();
  };
  return {
    notify: (subscriber: Subscriber, frame: Buffer): void => {
      if (subscriber.slowSince === undefined && subscribers.has(subscriber)) {
        write(subscriber, frame);
      }
    },
    /** Sends the next page of the log if the subscriber keeps up. True if no page follows. */
    sendPage: (subscriber: Subscriber): boolean => {
      if (subscriber.slowSince !== undefined) return false;
      const page = pages.find(subscriber.scope, subscriber.cursor);
      if (page === undefined) return true;
      subscriber.cursor = page.last;
      write(subscriber, page.frame);
      return !page.more;
    },
    /** Sends a beat to a subscriber that keeps up and has all entries of its rooms. */
    sendBeat: (subscriber: Subscriber): void => {
      subscriber.cursor = store.head();
      subscriber.greeted = true;
      write(subscriber, toFrame('beat', `{"cursor":"${subscriber.cursor}"}`));
    },
  };
};

/**
 * Every subscriber reads from the log after its own cursor, so that a slow or returning one
 * misses nothing and needs no queue in memory. Each gets one page per turn: a long backlog does
 * not delay others.
 */
export const createDelivery = (parts: Parts): Delivery => {
  const { pages, subscribers, now } = parts;
  const { notify, sendPage, sendBeat } = createWriter(parts);
  /** Subscribers that keep up and have more to read, at the next turn. */
  const behind = new Set<Subscriber>();
  const scheduleNextPage = (subscriber: Subscriber): void => {
    if (behind.size === 0) setImmediate(() => bring(takeLagging()));
    behind.add(subscriber);
  };
  const takeLagging = (): readonly Subscriber[] => {
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
        if (!hasAll) scheduleNextPage(subscriber);
        else if (!subscriber.greeted) sendBeat(subscriber);
      } catch {
        // The log cannot be read: the subscriber reconnects with its cursor.
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
  return { bring, scheduleNextPage, beat, notify, drop };
};
