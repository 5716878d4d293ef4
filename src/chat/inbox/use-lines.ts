import { useSyncExternalStore } from 'react';

import type { RoomKey } from '#domain/rooms.ts';
import type { Filter, NewestByClient } from '#domain/rules/inbox.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { Preview } from '#domain/text/preview.ts';

/** What one row says below the name. */
export interface Line extends Omit<Preview, 'at'> {
  /** "14:05", "Yesterday"; empty for a draft. */
  readonly time: string;
  /** How long the client has waited for a reply: "3 h"; empty for less than an hour. */
  readonly wait: string;
  /** Who wrote what, and when with how long the client waits: for a description. */
  readonly said: string;
  readonly note: string;
}

/** Filters that depend on what is known of rooms. */
export type RoomFilter = Exclude<Filter, 'all' | 'unread'>;

/** What the lists of clients and rooms say about them. */
export interface Lines {
  /** Undefined until it is known. */
  readonly newest?: NewestByClient | undefined;
  readonly ofClient: (team: Team) => Line | undefined;
  readonly ofRoom: (team: Team, room: RoomKey) => Line | undefined;
  /**
   * The clients who wait for a reply, the longest waiting first, or those of whom the user takes
   * care; undefined until that is known.
   */
  readonly list: (filter: RoomFilter, teams: readonly Team[]) => readonly Team[] | undefined;
}

/** Until more is known, the lists show names alone. */
export const NO_LINES: Lines = {
  ofClient: () => undefined,
  ofRoom: () => undefined,
  list: () => undefined,
};

let lines = NO_LINES;
const listeners = new Set<() => void>();

/** Shows other lines, in all lists. */
export const setLines = (next: Lines): void => {
  lines = next;
  for (const listener of listeners) listener();
};

const watch = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What the lists say, at this moment; `LinesSource` keeps it up to date. */
export const useLines = (): Lines => useSyncExternalStore(watch, () => lines);
