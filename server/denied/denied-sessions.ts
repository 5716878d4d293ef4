import type { DatabaseSync } from 'node:sqlite';

import { DENIALS_KNOWN_MAX } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import { createDenialDelivery } from './delivery.ts';
import type { Denial, DeniedStore } from './denied-store.ts';

/** Signed-out sessions: denied until they would have ended by themselves. */
export interface DeniedSessions {
  /** Denied from the call on. Resolves once the store knows, within a bounded time; never rejects. */
  add(sid: string, until: number): Promise<void>;
  /** The same by the store's mark. */
  addMark(mark: string, until: number): Promise<void>;
  toMark(sid: string): string;
  /** As far as this instance knows. */
  has(sid: string): boolean;
  hasMark(mark: string): boolean;
  /** Denied ones this instance knows. */
  count(): number;
  /** As far as the store knows; while that is down, as far as this instance does. */
  check(sid: string): Promise<boolean>;
  /** Called with every newly denied session id. Returns the way to stop. */
  onAdded(listener: (sid: string) => void): () => void;
  close(): Promise<void>;
}

/** Session ids by their marks, of the sessions used here last: listeners know them by their ids. */
const createMarks = (toMark: (sid: string) => string) => {
  const sids = new Map<string, string>();
  return {
    toSid: (mark: string): string => sids.get(mark) ?? mark,
    toMark: (sid: string): string => {
      const mark = toMark(sid);
      if (mark === sid) return mark;
      sids.delete(mark);
      sids.set(mark, sid);
      const oldest = sids.size > DENIALS_KNOWN_MAX ? sids.keys().next().value : undefined;
      if (oldest !== undefined) sids.delete(oldest);
      return mark;
    },
  };
};

/** What is known to be denied. Entries whose session has ended are dropped as new ones come. */
const createKnown = (store: DeniedStore, now: () => number) => {
  const denied = new Map(store.load());
  const dropEnded = (): void => {
    for (const [mark, until] of denied) if (until <= now()) denied.delete(mark);
  };
  return {
    denied,
    /** False when it was known. */
    add: ([mark, until]: Denial): boolean => {
      // Most of what a followed store reports is known.
      if (denied.has(mark)) return false;
      dropEnded();
      denied.set(mark, until);
      // A store that can be asked knows the rest.
      const isFull = store.has !== undefined && denied.size > DENIALS_KNOWN_MAX;
      const oldest = isFull ? denied.keys().next().value : undefined;
      if (oldest !== undefined) denied.delete(oldest);
      return true;
    },
  };
};

/**
 * Keeps the list in memory and writes it through, so that a copied cookie stays dead after
 * a restart.
 */
export const createDeniedSessions = (
  store: DeniedStore,
  { now, log }: { readonly now: () => number; readonly log: Log },
): DeniedSessions => {
  const known = createKnown(store, now);
  const marks = createMarks((sid) => store.toMark?.(sid) ?? sid);
  const listeners = new Set<(sid: string) => void>();
  const delivery = createDenialDelivery((denial) => store.add(denial), log);
  const deny = (denial: Denial): void => {
    if (!known.add(denial)) return;
    for (const listener of listeners) listener(marks.toSid(denial[0]));
  };
  const addMark = async (mark: string, until: number): Promise<void> => {
    deny([mark, until]);
    await delivery.deliver([mark, until]);
  };
  const stop = store.follow?.(deny, () => [...known.denied]);
  return {
    add: (sid, until) => addMark(marks.toMark(sid), until),
    addMark,
    toMark: (sid) => marks.toMark(sid),
    close: async () => {
      stop?.();
      await delivery.close();
    },
    has: (sid) => known.denied.has(marks.toMark(sid)),
    hasMark: (mark) => known.denied.has(mark),
    count: () => known.denied.size,
    check: async (sid) => {
      const mark = marks.toMark(sid);
      if (known.denied.has(mark) || store.has === undefined) return known.denied.has(mark);
      // The store logs that it is down.
      return store.has(mark).catch(() => false);
    },
    onAdded: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The list in the embedded database, table `denied_session`; ended entries are deleted on start. */
export const createSqlDeniedStore = (sql: DatabaseSync, now: () => number): DeniedStore => {
  sql.prepare('DELETE FROM denied_session WHERE until <= ?').run(now());
  const insert = sql.prepare('INSERT OR REPLACE INTO denied_session (sid, until) VALUES (?, ?)');
  return {
    load: () =>
      sql
        .prepare('SELECT sid, until FROM denied_session')
        .all()
        .map((row) => [String(row['sid']), Number(row['until'])] as const),
    add: async (denial) => {
      insert.run(...denial);
    },
  };
};

/** Nothing outlives the process: where everything is hosted, nothing is kept here. */
export const noopDeniedStore: DeniedStore = { load: () => [], add: async () => undefined };
