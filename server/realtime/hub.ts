import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { createDelivery } from './delivery.ts';
import type { Scope } from './log/reader.ts';
import { createPages } from './pages.ts';
import type { LogStore } from './log/store.ts';
import { createSubscribers, type Sink } from './subscribers.ts';

/** One live subscriber, from the point of view of its connection. */
export interface Subscription {
  /** The client took everything: continue. */
  drained(): void;
  /** Sends a heartbeat with the position; disconnects a client that stalled. */
  beat(): void;
  /** Sends an event that is not part of the log; it is lost if the client is slow or gone. */
  notify(frame: Buffer): void;
  close(): void;
}

export interface Hub {
  /** Delivers everything after `cursor` (without one, after the head), then live entries. */
  open(scope: Scope, cursor: Timetoken | undefined, sink: Sink): Subscription;
  /** Ends every subscriber. */
  close(): void;
}

/** Wakes the live subscribers when the log grows; a commit is only a wake-up (delivery.ts). */
export const createHub = (store: LogStore, template: string, now: () => number = Date.now): Hub => {
  const subscribers = createSubscribers();
  const pages = createPages(store, template);
  const { bring, scheduleNextPage, beat, notify, drop } = createDelivery({
    store,
    pages,
    subscribers,
    now,
  });
  const grown = new Set<RoomKey>();
  const bringReaders = (): void => {
    bring(subscribers.listReaders(grown));
    grown.clear();
  };
  const stop = store.onAppend((rooms) => {
    // Runs after the acknowledgements of the commit, because people wait for those.
    if (grown.size === 0) setImmediate(bringReaders);
    for (const room of rooms) grown.add(room);
  });
  return {
    open: (scope, cursor, sink) => {
      const head = store.head();
      // A cursor ahead of the log (which was emptied or restored) would wait forever. It is the
      // reader's claim, so no timetoken may depend on it.
      const from = cursor === undefined || cursor > head ? head : cursor;
      const subscriber = subscribers.add(scope, from, sink);
      bring([subscriber]);
      return {
        drained: () => {
          subscriber.slowSince = undefined;
          if (subscribers.has(subscriber)) scheduleNextPage(subscriber);
        },
        beat: () => beat(subscriber),
        notify: (frame) => notify(subscriber, frame),
        close: () => drop(subscriber),
      };
    },
    close: () => {
      stop();
      for (const subscriber of subscribers.listAll()) drop(subscriber);
    },
  };
};
