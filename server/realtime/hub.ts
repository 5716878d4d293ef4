import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { createDelivery } from './delivery.ts';
import type { Scope } from './log/reader.ts';
import { createPages } from './pages.ts';
import type { LogStore } from './log/store.ts';
import { createSubscribers, type Sink } from './subscribers.ts';

/** One live subscriber, as its connection sees it. */
export interface Subscription {
  /** The far end took everything: go on. */
  drained(): void;
  /** Reports life and the position; lets go of a far end that stalled. */
  beat(): void;
  close(): void;
}

export interface Hub {
  /** Delivers everything after `cursor` (none: from now), then live entries. */
  open(scope: Scope, cursor: Timetoken | undefined, sink: Sink): Subscription;
  /** Ends every subscriber. */
  close(): void;
}

/** Wakes the live subscribers when the log grows; a commit is only a wake-up (delivery.ts). */
export const createHub = (store: LogStore, template: string, now: () => number = Date.now): Hub => {
  const subscribers = createSubscribers();
  const pages = createPages(store, template);
  const { bring, goOnLater, beat, drop } = createDelivery({ store, pages, subscribers, now });
  const grown = new Set<RoomKey>();
  const bringReaders = (): void => {
    bring(subscribers.listReaders(grown));
    grown.clear();
  };
  const stop = store.onAppend((rooms) => {
    // After the acknowledgements of the commit, which are waited for by people.
    if (grown.size === 0) setImmediate(bringReaders);
    for (const room of rooms) grown.add(room);
  });
  return {
    open: (scope, cursor, sink) => {
      const head = store.head();
      // A cursor of the future (the log was emptied or set back) would wait for ever. It is what
      // a reader says, so that no position given to a message may depend on it.
      const from = cursor === undefined || cursor > head ? head : cursor;
      const subscriber = subscribers.add(scope, from, sink);
      bring([subscriber]);
      return {
        drained: () => {
          subscriber.slowSince = undefined;
          if (subscribers.has(subscriber)) goOnLater(subscriber);
        },
        beat: () => beat(subscriber),
        close: () => drop(subscriber),
      };
    },
    close: () => {
      stop();
      for (const subscriber of subscribers.listAll()) drop(subscriber);
    },
  };
};
