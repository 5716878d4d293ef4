import { type RoomDescriptions, roomDescriptionsSchema } from '#domain/schemas/config.ts';

import type { UserDatabase } from '../schema/database.ts';
import { META } from '../schema/tables.ts';

/** The rooms' descriptions as the server last sent them: they are shown without a network, too. */
export const findDescriptions = async (db: UserDatabase): Promise<RoomDescriptions> => {
  const row = await db.meta.get(META.descriptions);
  const stored = row?.key === META.descriptions ? row.rooms : undefined;
  return roomDescriptionsSchema.safeParse(stored).data ?? {};
};
