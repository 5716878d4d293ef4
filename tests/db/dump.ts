import type { UserDatabase } from '#db/schema/database.ts';

/** Every projected row, in key order. */
export const dumpProjections = async (db: UserDatabase) => ({
  messages: await db.messages.toArray(),
  outbox: await db.outbox.toArray(),
  coverage: await db.coverage.toArray(),
  activity: await db.activity.toArray(),
});
