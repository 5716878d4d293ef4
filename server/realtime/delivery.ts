import { SUBSCRIBER_STALL_MS } from './limits.ts';
import { type Pages, toFrame } from './pages.ts';
import type { LogStore } from './store.ts';
import type { Subscriber, Subscribers } from './subscribers.ts';

export interface Delivery {
  /** Brings subscribers up to the head of the log, as far as each keeps up. */
  readonly bring: (readers: readonly Subscriber[]) => void;
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
    /** Pages of the log until the far end is slow or has everything. */
    sendPages: (subscriber: Subscriber): void => {
      while (subscriber.slowSince === undefined) {
        const page = pages.find(subscriber.scope, subscriber.cursor);
        if (page === undefined) return;
        subscriber.cursor = page.last;
        write(subscriber, page.frame);
      }
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
 * or returning one misses nothing and holds no queue in memory.
 */
export const createDelivery = (parts: Parts): Delivery => {
  const { pages, subscribers, now } = parts;
  const { sendPages, sendBeat } = createWriter(parts);
  const drop = (subscriber: Subscriber): void => {
    if (subscribers.remove(subscriber)) subscriber.sink.end(subscriber.slowSince !== undefined);
  };
  const bring = (readers: readonly Subscriber[]): void => {
    for (const subscriber of readers) {
      try {
        sendPages(subscriber);
        if (!subscriber.greeted && subscriber.slowSince === undefined) sendBeat(subscriber);
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
    if (subscriber.slowSince === undefined) sendBeat(subscriber);
    else if (now() - subscriber.slowSince > SUBSCRIBER_STALL_MS) drop(subscriber);
  };
  return { bring, beat, drop };
};
