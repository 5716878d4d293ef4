import { type ReactElement, useSyncExternalStore } from 'react';

import { createListeners } from '#domain/listeners.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Filter, NewestByClient } from '#domain/rules/inbox.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import type { Team } from '#domain/schemas/team.ts';
import type { Preview } from '#domain/text/preview.ts';

/** The texts of one row below the name. */
export interface Line extends Omit<Preview, 'at'> {
  /** "14:05", "Yesterday"; empty for a draft in a room. */
  readonly time: string;
  /** How long the client has waited for a reply: "3 h"; empty for less than an hour. */
  readonly wait: string;
  /**
   * For a description: `said` is the author and the text, `note` the time and the client's wait.
   */
  readonly said: string;
  readonly note: string;
  /** The room to which a client's row leads, if it is not the one opened last. */
  readonly room?: RoomKey | undefined;
  /** The mark of a muted client, or of a room that alone is muted. */
  readonly mute?: ReactElement | undefined;
  /** All unread messages are in muted rooms. */
  readonly quiet?: true | undefined;
}

/** Filters that depend on the data of rooms. */
export type RoomFilter = Exclude<Filter, 'all' | 'unread'>;

/** The texts of the lists of clients and rooms. */
export interface Lines {
  /** Undefined until it is known. */
  readonly newest?: NewestByClient | undefined;
  /**
   * With a filter it is about the room for which the client is listed. Otherwise it leads to the
   * room of the unsent message that it shows, or to one with unread messages.
   */
  readonly ofClient: (
    team: Team,
    filter: Filter,
    unread: UnreadByRoom,
  ) => Partial<Line> | undefined;
  readonly ofRoom: (team: Team, room: RoomKey) => Partial<Line> | undefined;
  /**
   * The clients who wait for a reply, the longest waiting first, or those assigned to the user;
   * undefined until that is known.
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
const listeners = createListeners();

/** Replaces the lines in all lists. */
export const setLines = (next: Lines): void => {
  lines = next;
  listeners.emit();
};

/** The current texts of the lists; `LinesSource` keeps them up to date. */
export const useLines = (): Lines => useSyncExternalStore(listeners.add, () => lines);
