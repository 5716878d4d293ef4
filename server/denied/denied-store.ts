import type { DatabaseSync } from 'node:sqlite';

import type { Log } from '../kernel/log.ts';

/**
 * A session that is denied until its cookie expires (ms since the epoch); `mark` is its id in the
 * store.
 */
export type Denial = readonly [mark: string, until: number];

/** A store in which denied sessions outlive the process. */
export interface DeniedStore {
  load(): Iterable<Denial>;
  /** Rejects if it could not be written; the caller then retries. */
  add(denial: Denial): Promise<void>;
  /** Repeatedly reports the additions of others. Returns a function that stops it. */
  follow?(onDenial: (denial: Denial) => void, listKnown: () => Iterable<Denial>): () => void;
  /** Queries the store, which has the denials of others at once. Rejects if it cannot answer. */
  has?(mark: string): Promise<boolean>;
  /** The mark of a session; without this function, its id. */
  toMark?(sid: string): string;
}

/** What the stores in the embedded database need. */
export interface SqlStoreDeps {
  readonly sql: DatabaseSync;
  /** ms since the epoch */
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
  /** Throws if written data would be lost. */
  readonly mustBeInPlace: () => void;
}

/**
 * Deletes rows that expired `keptMs` ago, then does `more`. A failure is only logged: an expired
 * row gives no access.
 */
export const deleteEnded = (
  { sql, now, log }: Omit<SqlStoreDeps, 'mustBeInPlace'>,
  table: 'denied_session' | 'open_session',
  keptMs: number,
  more?: () => void,
): void => {
  try {
    sql.prepare(`DELETE FROM ${table} WHERE until <= ?`).run(now() - keptMs);
    more?.();
  } catch (thrown) {
    log.warn({ err: thrown, table }, 'ended sessions could not be deleted');
  }
};
