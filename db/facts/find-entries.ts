import type { MessageRow } from '#domain/project/rows.ts';
import { parseMessageRow } from '#domain/project/row-schemas.ts';

import type { UserDatabase } from '../schema/database.ts';
import { isFromNewerVersion, readRows } from '../schema/readable.ts';
import type { EntryRow } from '../schema/tables.ts';
import { type Entry, parseEntry, toIdentity } from './entry-row.ts';

/** The result of parsing a row of the table `entries`; `isNewer`: a newer version wrote it. */
export type Found =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'unreadable'; readonly isNewer: boolean; readonly reason: string };

export const toFound = (stored: EntryRow): Found => {
  const parsed = parseEntry(stored);
  if (parsed.ok) return { kind: 'entry', entry: parsed.value };
  return { kind: 'unreadable', isNewer: isFromNewerVersion(stored), reason: parsed.error };
};

/** The stored messages with these identities (`f`), in that order. */
export const findByIdentity = (
  { entries }: UserDatabase,
  identities: readonly string[],
): Promise<readonly (EntryRow | undefined)[]> =>
  Promise.all(identities.map((f) => entries.where('f').equals(f).first()));

/**
 * The stored messages with these row keys, in that order. Messages without an id have no identity.
 */
export const findEntries = async (
  db: UserDatabase,
  keys: readonly string[],
): Promise<readonly (EntryRow | undefined)[]> => {
  const identities = keys.map(toIdentity);
  const named = identities.filter((f) => f !== undefined);
  const rows = await findByIdentity(db, named);
  return identities.map((f) => (f === undefined ? undefined : rows[named.indexOf(f)]));
};

/** The messages with these row keys as an earlier version stored them. */
export const findOldRows = async (
  { messages, hasOld }: UserDatabase,
  keys: readonly string[],
): Promise<readonly MessageRow[]> => {
  if (!hasOld || keys.length === 0) return [];
  return readRows(parseMessageRow, await messages.bulkGet([...keys])).rows;
};
