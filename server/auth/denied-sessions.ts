import type { DatabaseSync } from 'node:sqlite';

/** Where denied sessions outlive the process. Times are ms since the epoch. */
export interface DeniedStore {
  load(): Iterable<Denial>;
  add(sid: string, until: number): void;
  /** Tells what others add, again and again. Returns the way to stop. */
  follow?(heard: (denial: Denial) => void): () => void;
}

export type Denial = readonly [sid: string, until: number];

/** Signed-out sessions: denied until they would have ended by themselves. */
export interface DeniedSessions {
  /** Throws when it could not be written; it is denied all the same, and may be added again. */
  add(sid: string, until: number): void;
  has(sid: string): boolean;
  /** Called with every newly denied session id. Returns the way to stop. */
  onAdded(listener: (sid: string) => void): () => void;
  close(): void;
}

/**
 * Keeps the list in memory and writes it through, so that a copied cookie stays dead after
 * a restart. Entries whose session has ended are dropped as new ones come.
 */
export const createDeniedSessions = (store: DeniedStore, now: () => number): DeniedSessions => {
  const denied = new Map(store.load());
  const listeners = new Set<(sid: string) => void>();
  const dropEnded = (): void => {
    for (const [sid, until] of denied) if (until <= now()) denied.delete(sid);
  };
  const deny = ([sid, until]: Denial): void => {
    // Most of what a followed store tells is known.
    if (denied.has(sid)) return;
    dropEnded();
    denied.set(sid, until);
    for (const listener of listeners) listener(sid);
  };
  const stop = store.follow?.(deny);
  return {
    add: (sid, until) => {
      deny([sid, until]);
      store.add(sid, until);
    },
    close: () => stop?.(),
    has: (sid) => denied.has(sid),
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
    add: (sid, until) => {
      insert.run(sid, until);
    },
  };
};

/** Nothing outlives the process: where everything is hosted, nothing is kept here. */
export const forgetfulStore: DeniedStore = { load: () => [], add: () => undefined };
