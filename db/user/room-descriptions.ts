import { type RoomDescriptions, roomDescriptionsSchema } from '#domain/schemas/config.ts';

import type { UserDatabase } from '../schema/database.ts';
import { META, ROW_VERSION } from '../schema/tables.ts';
import { write } from '../schema/write.ts';

/** The rooms' descriptions as the server last sent them: they are shown without a network, too. */
export const findDescriptions = async (db: UserDatabase): Promise<RoomDescriptions> => {
  const row = await db.meta.get(META.descriptions);
  const stored = row?.key === META.descriptions ? row.rooms : undefined;
  return roomDescriptionsSchema.safeParse(stored).data ?? {};
};

/** Replaces them; a start that changes nothing does not write. */
export const keepDescriptions = async (
  db: UserDatabase,
  rooms: RoomDescriptions,
): Promise<void> => {
  if (JSON.stringify(await findDescriptions(db)) === JSON.stringify(rooms)) return;
  await write(
    db,
    [db.meta],
    async () => {
      await db.meta.put({ key: META.descriptions, rooms, v: ROW_VERSION });
    },
    'relaxed',
  );
};
