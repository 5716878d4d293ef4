import type { Timetoken } from '#domain/timetoken.ts';

import type { HistoryView } from '#src/actors/desk.ts';

import type { ThreadRow } from '../rows/thread-row.ts';

/**
 * The message that an address names: in the thread, on its way, unreachable at the moment, or not
 * in the room. If it is not in the thread, `key` is the nearest row, undefined in an empty thread.
 */
export interface Linked {
  readonly kind: 'found' | 'loading' | 'unreachable' | 'missing';
  readonly key: string | undefined;
  /** Older messages have to be loaded. */
  readonly isOlder: boolean;
}

/** A target in the thread; a new object triggers a new jump. */
export interface Jump {
  readonly key: string;
  /** The address names this message; otherwise it is the nearest one. */
  readonly isLinked: boolean;
}

/** The loaded part of the room, and whether more will be loaded. */
export interface LoadedPart {
  /**
   * The thread has every known message at or after this position; undefined while it is being read.
   */
  readonly floor: Timetoken | undefined;
  /** Older messages exist, or may exist. */
  readonly hasMore: boolean;
  /** Older messages do not arrive at the moment. */
  readonly isOlderStuck: boolean;
  /** The state of reading the newest messages from the engine. */
  readonly newest: HistoryView['newest'];
}

type Placed = ThreadRow & { readonly at: Timetoken };

const isPlaced = (row: ThreadRow): row is Placed => row.at !== '';

/** Finds the message at a position of the room's log, among rows from the oldest to the newest. */
export const findLinked = (
  at: Timetoken,
  rows: readonly ThreadRow[],
  known: LoadedPart,
): Linked => {
  const placed = rows.filter(isPlaced);
  const below = placed.findLast((row) => row.at <= at);
  const { key } = below ?? placed[0] ?? { key: undefined };
  if (below?.at === at) return { kind: 'found', key, isOlder: false };
  if (known.floor === undefined) return { kind: 'loading', key, isOlder: false };
  const isOlder = at < known.floor && known.hasMore;
  if (isOlder) return { kind: known.isOlderStuck ? 'unreachable' : 'loading', key, isOlder };
  if (placed.at(-1) === below && known.newest !== 'read') {
    return { kind: known.newest === 'failed' ? 'unreachable' : 'loading', key, isOlder };
  }
  if (below?.gap === 'filling') return { kind: 'loading', key, isOlder };
  return { kind: below?.gap === 'waiting' ? 'unreachable' : 'missing', key, isOlder };
};
