import { useCallback } from 'react';

import { shareQuery } from '#db/read/watch.ts';
import { reportQueryFailed, withReopening } from '#db/schema/storage-errors.ts';
import { CHOICES, KEPT_EARLIER } from '#db/user/choices.ts';
import {
  changeNotificationChoice,
  findNewestFromOthers,
  findNotificationChoice,
} from '#db/user/notifications.ts';
import { type AppError, NOT_OPEN } from '#domain/errors.ts';
import type { MessageRow } from '#domain/project/rows.ts';
import { fail, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { NotificationChoice } from '#domain/schemas/notification.ts';

import { useStore } from '../store-context.ts';
import { useShared } from '../use-shared.ts';

const openChoice = shareQuery<NotificationChoice>(
  { meta: KEPT_EARLIER, log: CHOICES },
  findNotificationChoice,
);

/** The user's notification settings; undefined while loading. */
export const useNotificationChoice = (): NotificationChoice | undefined => useShared(openChoice);

export type ChangeChoice = (
  change: (before: NotificationChoice) => NotificationChoice,
) => Promise<Result<void, AppError>>;

export const useChangeChoice = (): ChangeChoice => {
  const store = useStore();
  return useCallback(
    async (change) =>
      store === undefined ? fail(NOT_OPEN) : changeNotificationChoice(store, change),
    [store],
  );
};

/**
 * Reads the newest message of others in a room; undefined without one, and if reading fails, which
 * is logged.
 */
export const useFindNewestFromOthers = (): ((room: RoomKey) => Promise<MessageRow | undefined>) => {
  const db = useStore()?.database;
  return useCallback(
    async (room) => {
      try {
        return db && (await withReopening(db, () => findNewestFromOthers(db, room)));
      } catch (error) {
        if (db) reportQueryFailed(db, `newest message ${room}`, error);
        return undefined;
      }
    },
    [db],
  );
};
