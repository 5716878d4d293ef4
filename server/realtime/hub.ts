import type { RoomKey } from '#domain/rooms.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { createThrottledLog, type Log } from '../kernel/log.ts';
import { SUBSCRIBER_STALL_MS } from './limits.ts';
import type { Scope } from './log/reader.ts';
import { createPages, type Pages, toFrame } from './pages.ts';
import type { LogStore } from './log/store.ts';
import { createSubscribers, type Sink, type Subscriber, type Subscribers } from './subscribers.ts';

/** One live subscriber, from the point of view of its connection. */
export interface Subscription {
  /** The client took everything: continue. */
  drained(): void;
  /** Delivers up to the head and then sends a beat; disconnects a client that stalled. */
  beat(): void;
  /**
   * Reports that a log of marks has grown. A slow client gets the newest report of each log once it
   * keeps up.
   */
  notify(log: MarkLogName, frame: Buffer): void;
  close(): void;
}

interface HubDeps {
  readonly store: LogStore;
  readonly channelTemplate: string;
  readonly log: Pick<Log, 'error'>;
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
    notify: (subscriber: Subscriber, log: MarkLogName, frame: Buffer): void => {
      if (subscriber.slowSince !== undefined) subscriber.missed.set(log, frame);
      else if (subscribers.has(subscriber)) write(subscriber, frame);
    },
    sendMissed: (subscriber: Subscriber): void => {
      for (const frame of subscriber.missed.values()) write(subscriber, frame);
      subscriber.missed.clear();
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
      subscriber.hadFirstBeat = true;
      write(subscriber, toFrame('beat', `{"cursor":"${subscriber.cursor}"}`));
    },
    /** Ends the subscriber's stream. */
    drop: (subscriber: Subscriber): void => {
      if (subscribers.remove(subscriber)) subscriber.sink.end(subscriber.slowSince !== undefined);
    },
  };
};

/**
 * Every subscriber reads from the log after its own cursor, so that a slow or returning one
 * misses nothing and needs no queue in memory. Each gets one page per turn: a long backlog does
 * not delay others.
 */
const createDelivery = (parts: Parts, onUnreadable: (fields: object) => void) => {
  const { pages, subscribers, now } = parts;
  const { notify, sendMissed, sendPage, sendBeat, drop } = createWriter(parts);
  /** Subscribers that keep up and have more to read, at the next turn. */
  const behind = new Set<Subscriber>();
  const scheduleNextPage = (subscriber: Subscriber): void => {
    if (behind.size === 0) setImmediate(() => sendNext(takeLagging()));
    behind.add(subscriber);
  };
  const takeLagging = (): readonly Subscriber[] => {
    const readers = [...behind].filter((reader) => subscribers.has(reader));
    behind.clear();
    return readers;
  };
  const sendNext = (readers: readonly Subscriber[]): void => {
    for (const subscriber of readers) {
      try {
        const hasAll = sendPage(subscriber);
        if (subscriber.slowSince !== undefined) continue;
        if (!hasAll) scheduleNextPage(subscriber);
        else if (!subscriber.hadFirstBeat) sendBeat(subscriber);
      } catch (error) {
        // The subscriber reconnects with its cursor.
        onUnreadable({ err: error });
        drop(subscriber);
      }
    }
    pages.forget();
  };
  const beat = (subscriber: Subscriber): void => {
    // Its stream has ended: what is written now would follow the last chunk.
    if (!subscribers.has(subscriber)) return;
    if (subscriber.slowSince === undefined) sendNext([subscriber]);
    if (!subscribers.has(subscriber)) return;
    if (subscriber.slowSince === undefined) {
      if (!behind.has(subscriber)) sendBeat(subscriber);
    } else if (now() - subscriber.slowSince > SUBSCRIBER_STALL_MS) drop(subscriber);
  };
  const resume = (subscriber: Subscriber): void => {
    subscriber.slowSince = undefined;
    if (!subscribers.has(subscriber)) return;
    sendMissed(subscriber);
    scheduleNextPage(subscriber);
  };
  return { sendNext, resume, beat, notify, drop };
};

/**
 * Wakes the live subscribers when the log grows; a commit is only a wake-up. While the log cannot
 * be read, their streams end, which is logged once a minute. `now` is in ms since the epoch.
 */
export const createHub = (
  { store, channelTemplate, log }: HubDeps,
  now: () => number = Date.now,
) => {
  const subscribers = createSubscribers();
  const pages = createPages(store, channelTemplate);
  const logUnreadable = createThrottledLog(
    (fields) => log.error(fields, 'a stream ended because the log could not be read'),
    now,
  );
  const { sendNext, resume, beat, notify, drop } = createDelivery(
    { store, pages, subscribers, now },
    logUnreadable,
  );
  const grown = new Set<RoomKey>();
  const sendToReaders = (): void => {
    sendNext(subscribers.listReaders(grown));
    grown.clear();
  };
  const stop = store.onAppend((rooms) => {
    // Runs after the acknowledgements of the commit, because people wait for those.
    if (grown.size === 0) setImmediate(sendToReaders);
    for (const room of rooms) grown.add(room);
  });
  return {
    /** Delivers everything after `cursor` (without one, after the head), then live entries. */
    open: (scope: Scope, cursor: Timetoken | undefined, sink: Sink): Subscription => {
      const head = store.head();
      // A cursor ahead of the log (which was emptied or restored) would wait forever. It is the
      // reader's claim, so no timetoken may depend on it.
      const from = cursor === undefined || cursor > head ? head : cursor;
      const subscriber = subscribers.add(scope, from, sink);
      sendNext([subscriber]);
      return {
        drained: () => resume(subscriber),
        beat: () => beat(subscriber),
        notify: (name, frame) => notify(subscriber, name, frame),
        close: () => drop(subscriber),
      };
    },
    /** Ends every subscriber. */
    close: (): void => {
      stop();
      for (const subscriber of subscribers.listAll()) drop(subscriber);
    },
  };
};

export type Hub = ReturnType<typeof createHub>;
