import { LAYOUT } from '#db/hooks/use-layout.ts';
import { openProducers, openTeams } from '#db/read/fetched-lists.ts';
import { threadsOf } from '#db/read/threads.ts';
import type { DatabaseOptions, UserDatabase } from '#db/schema/database.ts';
import { openUserStore, type UserStore } from '#db/user/user-store.ts';
import { type AppError, NOT_OPEN } from '#domain/errors.ts';
import { fail, type Result } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { findChatIds, parseChatPlace } from '#domain/routes.ts';
import { contentShown } from '#src/ui/deferred/content-shown.ts';

/**
 * Longest wait for the content of the first screen; then the columns appear without the rest, ms.
 */
const SCREEN_WAIT_MS = 1000;

/** The thread of the room in the address, which is read once it is opened. */
const openThread = (db: UserDatabase) => {
  const ids = findChatIds(location.pathname);
  const place = ids && parseChatPlace(ids);
  if (place?.kind !== 'room') return undefined;
  return threadsOf(db).open(toRoomKey(place.clientId, place.roomId));
};

/**
 * Reads the content of the first screen, so that columns and thread appear together and are laid
 * out and painted only once.
 */
const readScreen = (db: UserDatabase): Promise<unknown> =>
  Promise.all(
    [openTeams, openProducers, ...LAYOUT, openThread].map(async (open) => open(db)?.ready),
  );

/** Needed only on a full disk; without it each tab shows only what it received itself. */
const shareHeld = async (db: UserDatabase): Promise<void> => {
  await contentShown();
  const part = await import('./share-held.ts').catch(() => undefined);
  part?.shareHeld(db);
};

/**
 * Opens a user's store; it loads with the signed-in pages, together with the library of the
 * databases. Meanwhile, the content of the first screen is read: the clients in their order, the
 * staff list that names the senders, and the newest page of the room in the address.
 * `watchOpening` receives the opening of the database.
 */
export const openStore = async (
  uid: string,
  options: DatabaseOptions,
  watchOpening: <T>(opening: Promise<T>) => Promise<T>,
): Promise<Result<UserStore, AppError>> => {
  const opened = await watchOpening(openUserStore(uid, options, readScreen));
  if (!opened.ok) return opened;
  const { database } = opened.value;
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, SCREEN_WAIT_MS);
    database.onEnd(resolve);
  });
  await Promise.race([readScreen(database), late]);
  if (database.isEnded) return fail(NOT_OPEN);
  void shareHeld(database);
  return opened;
};
