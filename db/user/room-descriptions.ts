import { type RoomDescriptions, roomDescriptionsSchema } from '#domain/schemas/config.ts';

import type { UserDatabase } from '../schema/database.ts';
import { attempt } from '../schema/storage-errors.ts';
import { META } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** The rooms' descriptions as the server last sent them: they are shown without a network, too. */
export const findDescriptions = async (db: UserDatabase): Promise<RoomDescriptions> => {
  const row = await db.findMeta(META.descriptions);
  return roomDescriptionsSchema.safeParse(row?.rooms).data ?? {};
};

/**
 * Stores the descriptions that the server sent; if that fails, which is logged, rooms show those
 * that this device stored earlier.
 */
export const keepDescriptions = async (
  db: UserDatabase,
  rooms: RoomDescriptions,
): Promise<void> => {
  const kept = await attempt(db, async () => {
    // A start that changes nothing does not write.
    if (JSON.stringify(await findDescriptions(db)) === JSON.stringify(rooms)) return;
    const keep = () => db.putMeta({ key: META.descriptions, rooms });
    await write(db, [db.meta], keep, 'relaxed');
  });
  if (kept.ok || db.isEnded) return;
  db.clientLog.write('warn', 'DESCRIPTIONS_UNSTORED', { kind: kept.error.kind });
};
