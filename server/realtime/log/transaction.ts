import type { DatabaseSync } from 'node:sqlite';

/** Runs the work in one durable transaction: all or nothing, on disk when it returns. */
export type Transact = <T>(work: () => T) => T;

/** `mustBeInPlace` throws if written data would be lost. */
export const createTransact =
  (sql: DatabaseSync, mustBeInPlace: () => void): Transact =>
  (work) => {
    mustBeInPlace();
    sql.exec('BEGIN IMMEDIATE');
    try {
      const answer = work();
      sql.exec('COMMIT');
      return answer;
    } catch (thrown) {
      if (sql.isTransaction) sql.exec('ROLLBACK');
      throw thrown;
    }
  };
