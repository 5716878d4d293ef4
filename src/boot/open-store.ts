import { startTeams } from '#db/hooks/use-teams.ts';
import type { DatabaseOptions } from '#db/schema/database.ts';
import { openUserStore } from '#db/user/user-store.ts';

/**
 * Opens a user's store; it loads with the signed-in pages, together with the library of the
 * databases. The query of the clients starts meanwhile: what the first screen shows depends on them.
 */
export const openStore = (uid: string, options: DatabaseOptions) =>
  openUserStore(uid, options, startTeams);
