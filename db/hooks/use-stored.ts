import { useLiveQuery } from 'dexie-react-hooks';
import { useRef } from 'react';

import type { UserDatabase } from '#db/schema/database.ts';
import { reportQueryFailed, withReopening } from '#db/schema/storage-errors.ts';
import { useStore } from './store-context.ts';
import { useSpace } from './use-space.ts';

/** An answer with the subject it belongs to. */
interface Answer<T> {
  readonly db: UserDatabase;
  readonly subject: string;
  readonly value: T;
}

/** A query that a newer run of itself, or the closing of the store, made obsolete. */
const isMoot = (error: unknown, db: UserDatabase): boolean =>
  db.isEnded || (error instanceof Error && error.name === 'AbortError');

/**
 * A live query on the signed-in user's store: undefined until its first answer.
 *
 * `subject` identifies what the query is about; an answer about another subject (the previous
 * room or user) is never shown. `detail` may change without losing the current answer. `query`
 * gets the last value about the subject; returning it means that nothing changed and causes no
 * render. A failing query is logged and leaves the last answer.
 */
export const useStored = <T>(
  subject: string,
  detail: string,
  query: (db: UserDatabase, last: T | undefined) => PromiseLike<T>,
): T | undefined => {
  const db = useStore()?.database;
  const { reopened } = useSpace();
  const lastRef = useRef<Answer<T> | undefined>(undefined);
  const answer = useLiveQuery(async (): Promise<Answer<T> | undefined> => {
    if (db === undefined) return undefined;
    const known = lastRef.current;
    const last = known?.db === db && known.subject === subject ? known : undefined;
    try {
      const value = await withReopening(db, () => query(db, last?.value));
      if (last && last.value === value) return last;
      lastRef.current = { db, subject, value };
      return lastRef.current;
    } catch (error) {
      if (isMoot(error, db)) throw error;
      reportQueryFailed(db, subject, error);
      return last;
    }
  }, [db, subject, detail, reopened]);
  return answer?.db === db && answer?.subject === subject ? answer.value : undefined;
};
