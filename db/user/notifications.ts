import type { MessageRow } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  DEFAULT_NOTIFICATIONS,
  type NotificationChoice,
  notificationChoiceSchema,
} from '#domain/schemas/notification.ts';

import { loadNewest } from '../facts/load-messages.ts';
import { takeReadable } from '../log/readable-tables.ts';
import type { UserDatabase } from '../schema/database.ts';
import { META, ROW_VERSION, TABLES } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** What the user chose about notifications on this device; an unreadable choice is the default. */
export const findNotificationChoice = async (db: UserDatabase): Promise<NotificationChoice> => {
  const row = await db.meta.get(META.notifications);
  const stored = row?.key === META.notifications ? row.choice : undefined;
  return notificationChoiceSchema.safeParse(stored).data ?? DEFAULT_NOTIFICATIONS;
};

/** Changes a part of the choice, also while another tab changes another part. */
export const changeNotificationChoice = (
  db: UserDatabase,
  change: (before: NotificationChoice) => NotificationChoice,
): Promise<void> =>
  write(
    db,
    [db.meta],
    async () => {
      const choice = change(await findNotificationChoice(db));
      await db.meta.put({ key: META.notifications, choice, v: ROW_VERSION });
    },
    'strict',
  );

/** The newest stored message of a room; undefined without one, and if it cannot be read. */
export const findNewestMessage = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<MessageRow | undefined> => {
  const read = await db.transaction('r', db.messageTables, async () => loadNewest(db, room, 1));
  return takeReadable(db, TABLES.entries, read)[0];
};
