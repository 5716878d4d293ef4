import { openTeams } from '#db/read/fetched-lists.ts';
import { threadsOf } from '#db/read/threads.ts';
import type { DatabaseOptions, UserDatabase } from '#db/schema/database.ts';
import { openUserStore, type UserStore } from '#db/user/user-store.ts';
import type { AppError } from '#domain/errors.ts';
import { fail, type Result } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { findChatIds, parseChatPlace } from '#domain/routes.ts';

/** Longest wait for the thread; then the columns appear without it, ms. */
const THREAD_WAIT_MS = 1000;

const DELETED: AppError = { kind: 'storage', detail: 'The store was deleted while it opened.' };

/** The thread of the room in the address, which is read once it is opened. */
const openThread = (db: UserDatabase) => {
  const ids = findChatIds(location.pathname);
  const place = ids && parseChatPlace(ids);
  if (place?.kind !== 'room') return undefined;
  return threadsOf(db).open(toRoomKey(place.clientId, place.roomId));
};

const startReading = (db: UserDatabase): void => {
  openTeams(db);
  openThread(db);
};

/** The columns appear with the thread, laid out and painted once. */
const waitForThread = async (db: UserDatabase): Promise<void> => {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, THREAD_WAIT_MS);
  await Promise.race([openThread(db)?.ready, late.promise]);
  clearTimeout(timer);
};

/**
 * Opens a user's store; it loads with the signed-in pages, together with the library of the
 * databases. What the first screen shows is read meanwhile: the clients, and the newest page of the
 * room in the address. `watchOpening` gets the opening of the database.
 */
export const openStore = async (
  uid: string,
  options: DatabaseOptions,
  watchOpening: <T>(opening: Promise<T>) => Promise<T>,
): Promise<Result<UserStore, AppError>> => {
  const opened = await watchOpening(openUserStore(uid, options, startReading));
  if (!opened.ok) return opened;
  const { database } = opened.value;
  await waitForThread(database);
  return database.isEnded ? fail(DELETED) : opened;
};
