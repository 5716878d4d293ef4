import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import type { Scope } from './log/reader.ts';

/** The connection of a stream. */
export interface Sink {
  /** False if the client is slow: nothing more is written until `drained` is called. */
  write(frame: Buffer): boolean;
  /** `stalled`: the client takes nothing, so pending data is dropped. */
  end(stalled: boolean): void;
}

/** One live reader of the log. */
export interface Subscriber {
  readonly scope: Scope;
  readonly sink: Sink;
  cursor: Timetoken;
  /** ms since the epoch; undefined while the client keeps up */
  slowSince: number | undefined;
  /** The newest frame of each log of marks that grew while the client was slow. */
  readonly missed: Map<MarkLogName, Buffer>;
  /** The backlog was delivered and the first beat sent. */
  hadFirstBeat: boolean;
}

/** Equal for readers of the same rooms. */
export const toScopeKey = (scope: Scope): string => (scope.kind === 'all' ? '' : scope.clientId);

/** The live subscribers, indexed by what they may read. */
export const createSubscribers = () => {
  const byScope = new Map<string, Set<Subscriber>>();
  const of = (scope: Scope): ReadonlySet<Subscriber> | undefined => byScope.get(toScopeKey(scope));
  return {
    add: (scope: Scope, cursor: Timetoken, sink: Sink): Subscriber => {
      const subscriber: Subscriber = {
        scope,
        cursor,
        sink,
        slowSince: undefined,
        missed: new Map(),
        hadFirstBeat: false,
      };
      const key = toScopeKey(scope);
      byScope.set(key, (byScope.get(key) ?? new Set()).add(subscriber));
      return subscriber;
    },
    /** True if it was registered. */
    remove: (subscriber: Subscriber): boolean => {
      const key = toScopeKey(subscriber.scope);
      const peers = byScope.get(key);
      const removed = peers?.delete(subscriber) ?? false;
      if (peers?.size === 0) byScope.delete(key);
      return removed;
    },
    has: (subscriber: Subscriber): boolean => of(subscriber.scope)?.has(subscriber) ?? false,
    listAll: () => [...byScope.values()].flatMap((peers) => Array.from(peers)),
    /** The subscribers that may read at least one of the rooms. */
    listReaders: (rooms: ReadonlySet<RoomKey>): readonly Subscriber[] => {
      const clients = new Set([...rooms].map((room) => splitRoomKey(room).clientId));
      const readers = [...(of({ kind: 'all' }) ?? [])];
      for (const clientId of clients) {
        for (const reader of of({ kind: 'client', clientId }) ?? []) readers.push(reader);
      }
      return readers;
    },
  };
};

export type Subscribers = ReturnType<typeof createSubscribers>;
