import type { UserStore } from '#db/user/user-store.ts';
import type { Unsubscribe } from '#domain/ports/kit.ts';
import { wakeOnReturn } from '#src/adapters/browser/background-sync.ts';

import { shareHeld } from './share-held.ts';

/** What an open store does beside the screens; comes after the first paint. */
export const serveStore = (store: UserStore): Unsubscribe => {
  shareHeld(store.database);
  return wakeOnReturn(store);
};
