import { openTeams } from '#db/read/fetched-lists.ts';
import { threadsOf } from '#db/read/threads.ts';
import type { DatabaseOptions, UserDatabase } from '#db/schema/database.ts';
import { openUserStore } from '#db/user/user-store.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { findChatIds, parseChatPlace } from '#domain/routes.ts';

/**
 * Reads what the first screen shows while the store opens: the clients, and the newest page of the
 * room in the address. The columns appear with the thread, laid out and painted once.
 */
const readFirstScreen = async (db: UserDatabase): Promise<void> => {
  openTeams(db);
  const ids = findChatIds(location.pathname);
  const place = ids && parseChatPlace(ids);
  if (place?.kind !== 'room') return;
  await threadsOf(db).open(toRoomKey(place.clientId, place.roomId)).ready;
};

/**
 * Opens a user's store; it loads with the signed-in pages, together with the library of the
 * databases.
 */
export const openStore = (uid: string, options: DatabaseOptions) =>
  openUserStore(uid, options, readFirstScreen);
