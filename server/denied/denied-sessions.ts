import type { DatabaseSync } from 'node:sqlite';

import type { Log } from '../log.ts';
import { createDelivery } from './delivery.ts';

/** A denied session, until ms since the epoch, when its cookie ends by itself. */
export type Denial = readonly [sid: string, until: number];

/** Where denied sessions outlive the process. */
export interface DeniedStore {
  load(): Iterable<Denial>;
  /** Rejects when it could not be written; it is then written again. */
  add(denial: Denial): Promise<void>;
  /** Reports what others add, again and again. Returns the way to stop. */
  follow?(onDenial: (denial: Denial) => void): () => void;
}

/** Signed-out sessions: denied until they would have ended by themselves. */
export interface DeniedSessions {
  /** Denied from the call on. Resolves once the store knows, within a bounded time; never rejects. */
  add(sid: string, until: number): Promise<void>;
  has(sid: string): boolean;
  count(): number;
  /** Called with every newly denied session id. Returns the way to stop. */
  onAdded(listener: (sid: string) => void): () => void;
  close(): Promise<void>;
}

/**
 * Keeps the list in memory and writes it through, so that a copied cookie stays dead after
 * a restart. Entries whose session has ended are dropped as new ones come.
 */
export const createDeniedSessions = (
  store: DeniedStore,
  { now, log }: { readonly now: () => number; readonly log: Log },
): DeniedSessions => {
  const denied = new Map(store.load());
  const listeners = new Set<(sid: string) => void>();
  const delivery = createDelivery((denial) => store.add(denial), log);
  const dropEnded = (): void => {
    for (const [sid, until] of denied) if (until <= now()) denied.delete(sid);
  };
  const deny = ([sid, until]: Denial): void => {
    // Most of what a followed store reports is known.
    if (denied.has(sid)) return;
    dropEnded();
    denied.set(sid, until);
    for (const listener of listeners) listener(sid);
  };
  const stop = store.follow?.(deny);
  return {
    add: async (sid, until) => {
      deny([sid, until]);
      await delivery.deliver([sid, until]);
    },
    close: async () => {
      stop?.();
      await delivery.close();
    },
    has: (sid) => denied.has(sid),
    count: () => denied.size,
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
export const forgetfulStore: DeniedStore = { load: () => [], add: async () => undefined };
