import { useMemo, useSyncExternalStore } from 'react';

import type { UserDatabase } from '#db/schema/database.ts';
import { useStore } from './store-context.ts';

/** A changing value that all screens share. */
interface Shared<T> {
  readonly get: () => T;
  readonly watch: (listener: () => void) => () => void;
}

const watchNothing = () => () => undefined;
const getNothing = () => undefined;

/** The current value of `shared`; undefined without it. */
export const useSubscription = <T>(shared: Shared<T> | undefined): T | undefined =>
  useSyncExternalStore<T | undefined>(shared?.watch ?? watchNothing, shared?.get ?? getNothing);

/** The current value of what `open` returns for the signed-in user's store. */
export const useShared = <T>(open: (db: UserDatabase) => Shared<T>): T | undefined => {
  const db = useStore()?.database;
  return useSubscription(useMemo(() => db && open(db), [db, open]));
};
