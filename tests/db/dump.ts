import { parseEntry } from '#db/facts/entry-row.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import type { MessageRow } from '#domain/project/rows.ts';

/** The readable stored messages, by room and position. */
export const listStored = async (db: UserDatabase): Promise<readonly MessageRow[]> =>
  (await db.entries.toArray()).flatMap((stored) => {
    const parsed = parseEntry(stored);
    return parsed.ok ? [parsed.value.row] : [];
  });

/** Rows exactly as stored, whatever version wrote them. */
export const withoutVersion = <T extends { readonly v: number }>(rows: readonly T[]) =>
  rows.map(({ v: _v, ...row }) => row);

/** Every stored message and every projected row, in key order, whatever version wrote it. */
export const dumpProjections = async (db: UserDatabase) => ({
  messages: await listStored(db),
  unreadable: (await db.entries.toArray()).filter((stored) => !parseEntry(stored).ok),
  old: await db.messages.toArray(),
  outbox: withoutVersion(await db.outbox.toArray()),
  coverage: withoutVersion(await db.coverage.toArray()),
  activity: withoutVersion(await db.activity.toArray()),
});
