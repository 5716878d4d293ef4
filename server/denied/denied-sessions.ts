import { createListeners } from '#domain/listeners.ts';

import { DENIALS_DROP_EVERY_MS, DENIALS_KEPT_MS, DENIALS_KNOWN_MAX } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import { createDenialDelivery } from './delivery.ts';
import { deleteEnded, type Denial, type DeniedStore, type SqlStoreDeps } from './denied-store.ts';

/** Signed-out sessions: denied until they would have expired. */
export interface DeniedSessions {
  /** Denies the session at once. Resolves once the store has it, in bounded time; never rejects. */
  add(sid: string, until: number): Promise<void>;
  /** Does the same for a session given by the store's mark. */
  addMark(mark: string, until: number): Promise<void>;
  toMark(sid: string): string;
  /** Whether this instance's own list contains it. */
  has(sid: string): boolean;
  hasMark(mark: string): boolean;
  /** Number of denied sessions in this instance's own list. */
  count(): number;
  /**
   * Whether the store or this instance's own list contains it; while the store is down, only the
   * latter.
   */
  check(sid: string): Promise<boolean>;
  /** Called with every newly denied session id. Returns a function that stops it. */
  onAdded(listener: (sid: string) => void): () => void;
  close(): Promise<void>;
}

/** Ids of recently used sessions by their marks: listeners identify sessions by id. */
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

/** The known denied sessions. Expired entries are dropped from time to time, as new ones arrive. */
const createKnown = (store: DeniedStore, now: () => number) => {
  const denied = new Map(store.load());
  let droppedAt = -Infinity;
  const dropEnded = (): void => {
    const at = now();
    if (at - droppedAt < DENIALS_DROP_EVERY_MS) return;
    droppedAt = at;
    for (const [mark, until] of denied) {
      if (until <= at - DENIALS_KEPT_MS) denied.delete(mark);
    }
  };
  return {
    denied,
    /** False if it was already known. */
    add: ([mark, until]: Denial): boolean => {
      // Most reports of a followed store are already known.
      if (denied.has(mark)) return false;
      dropEnded();
      denied.set(mark, until);
      // The rest is in the store, if it can be queried.
      const isFull = store.has !== undefined && denied.size > DENIALS_KNOWN_MAX;
      const oldest = isFull ? denied.keys().next().value : undefined;
      if (oldest !== undefined) denied.delete(oldest);
      return true;
    },
  };
};

/** Keeps the list in memory and in the store: a copied cookie stays invalid after a restart. */
export const createDeniedSessions = (
  store: DeniedStore,
  { now, log }: { readonly now: () => number; readonly log: Log },
): DeniedSessions => {
  const known = createKnown(store, now);
  const marks = createMarks((sid) => store.toMark?.(sid) ?? sid);
  const listeners = createListeners<[sid: string]>();
  const delivery = createDenialDelivery((denial) => store.add(denial), log);
  const deny = (denial: Denial): void => {
    if (!known.add(denial)) return;
    listeners.emit(marks.toSid(denial[0]));
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
      if (known.denied.has(mark)) return true;
      // The store logs its own outages.
      return (await store.has?.(mark).catch(() => false)) ?? false;
    },
    onAdded: listeners.add,
  };
};

/**
 * The list in the embedded database, table `denied_session`; a start deletes long expired entries.
 */
export const createSqlDeniedStore = (deps: SqlStoreDeps): DeniedStore => {
  const { sql, mustBeInPlace } = deps;
  deleteEnded(deps, 'denied_session', DENIALS_KEPT_MS);
  const insert = sql.prepare('INSERT OR REPLACE INTO denied_session (sid, until) VALUES (?, ?)');
  return {
    load: () =>
      sql
        .prepare('SELECT sid, until FROM denied_session')
        .all()
        .map((row) => [String(row['sid']), Number(row['until'])] as const),
    add: async (denial) => {
      mustBeInPlace();
      insert.run(...denial);
    },
  };
};

/** Stores nothing: in fully hosted mode there is no data folder. */
export const noopDeniedStore: DeniedStore = { load: () => [], add: async () => undefined };
