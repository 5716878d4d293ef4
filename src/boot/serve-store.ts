import type { UserStore } from '#db/user/user-store.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import { wakeOnReturn } from '#src/adapters/browser/background-sync.ts';

import { shareHeld } from './share-held.ts';

/** Background work of an open store; loads after the first paint. */
export const serveStore = (store: UserStore): Unsubscribe => {
  shareHeld(store.database);
  return wakeOnReturn(store);
};
