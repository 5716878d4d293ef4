import type { AppError } from '#domain/errors.ts';
import type { MessageRow } from '#domain/project/rows.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { findChanged } from '#domain/schemas/marks.ts';
import {
  DEFAULT_NOTIFICATIONS,
  type NotificationChoice,
  notificationChoiceSchema,
  parseSharedChoices,
  toSharedChoices,
} from '#domain/schemas/notification.ts';

import { loadNewest } from '../facts/load-messages.ts';
import { takeReadable } from '../log/readable-tables.ts';
import type { UserDatabase } from '../schema/database.ts';
import { attempt } from '../schema/storage-errors.ts';
import { META, TABLES } from '../schema/tables.ts';
import { write } from '../schema/write.ts';
import { listChoices } from './choices.ts';
import type { UserStore } from './user-store.ts';

/**
 * Whether this device shows notifications, and what they show; an unreadable row counts as the
 * default.
 */
const findOfDevice = async (db: UserDatabase): Promise<NotificationChoice> => {
  const row = await db.findMeta(META.notifications);
  return notificationChoiceSchema.safeParse(row?.choice).data ?? DEFAULT_NOTIFICATIONS;
};

/** The user's notification settings: those of this device, and the shared ones of any device. */
export const findNotificationChoice = async (db: UserDatabase): Promise<NotificationChoice> => {
  const [ofDevice, choices] = await Promise.all([findOfDevice(db), listChoices(db)]);
  return { ...ofDevice, ...parseSharedChoices(choices) };
};

/** Other values in the row stay: an earlier version stored settings there that are now shared. */
const keepOfDevice = async (db: UserDatabase, part: Partial<NotificationChoice>): Promise<void> => {
  const choice = { ...(await findOfDevice(db)), ...part };
  await db.putMeta({ key: META.notifications, choice });
};

/** Changes a part of the choice, also while another tab changes another part. */
export const changeNotificationChoice = async (
  store: Pick<UserStore, 'database' | 'recordChoices'>,
  change: (before: NotificationChoice) => NotificationChoice,
): Promise<Result<void, AppError>> => {
  const { database: db } = store;
  const found = await attempt(db, () => findNotificationChoice(db));
  if (!found.ok) return found;
  const before = found.value;
  const after = change(before);
  const part = {
    ...(before.isOn !== after.isOn && { isOn: after.isOn }),
    ...(before.showsText !== after.showsText && { showsText: after.showsText }),
  };
  const kept =
    Object.keys(part).length === 0
      ? found
      : await attempt(db, () => write(db, [db.meta], () => keepOfDevice(db, part)));
  if (!kept.ok) return kept;
  // The choices are read in the transaction, so the second of two concurrent changes sees the
  // first.
  return store.recordChoices((choices) => {
    const now = { ...before, ...parseSharedChoices(choices) };
    return findChanged(toSharedChoices(now), toSharedChoices(change(now)));
  });
};

/** An answer that was sent late may follow them. */
const NEWEST_SEARCHED = 20;

/** The newest message of others in a room; undefined if the newest messages contain none. */
export const findNewestFromOthers = async (
  db: UserDatabase,
  room: RoomKey,
): Promise<MessageRow | undefined> => {
  const read = await db.transaction('r', db.messageTables, async () =>
    loadNewest(db, room, NEWEST_SEARCHED),
  );
  return takeReadable(db, TABLES.entries, read).findLast(({ publisher }) => publisher !== db.uid);
};
