import type { UserDatabase } from './database.ts';
import { PROJECTION_VERSION } from './schema.ts';
import { META } from './tables.ts';

/** The version of the projections as stored; 0 if there are none yet. */
const findProjectionVersion = async (db: UserDatabase): Promise<number> =>
  (await db.findMeta(META.projection))?.version ?? 0;

/** Whether the tables match this version's reducers, or newer ones. */
export const isUpToDate = async (db: UserDatabase): Promise<boolean> =>
  (await findProjectionVersion(db)) >= PROJECTION_VERSION;

/** Records that the tables match this version's reducers, unless a newer version made them. */
export const recordProjectionVersion = async (db: UserDatabase): Promise<void> => {
  if (await isUpToDate(db)) return;
  await db.putMeta({ key: META.projection, version: PROJECTION_VERSION });
};
