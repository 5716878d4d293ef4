import { parseProducers, type Producer } from '#domain/schemas/producer.ts';
import { keepSameTeams, parseTeams, type Team } from '#domain/schemas/team.ts';

import type { UserDatabase } from '../schema/database.ts';
import { DOCUMENTS } from '../schema/tables.ts';
import { findDocument } from './queries.ts';
import { shareQuery } from './watch.ts';

interface StoredTeams {
  readonly teams: readonly Team[];
  /** When they were fetched, ms since the epoch; undefined if an entry is damaged. */
  readonly fetchedAt: number | undefined;
}

const readTeams = async (
  db: UserDatabase,
  last?: StoredTeams,
): Promise<StoredTeams | undefined> => {
  const document = await findDocument(db, DOCUMENTS.teams);
  if (document === undefined || !Array.isArray(document.value)) return undefined;
  const teams = parseTeams(document.value) ?? [];
  const isWhole = teams.length === document.value.length;
  const fetchedAt = isWhole ? document.fetchedAt : undefined;
  const kept = keepSameTeams(last?.teams ?? [], teams);
  return kept === last?.teams && fetchedAt === last.fetchedAt ? last : { teams: kept, fetchedAt };
};

/** The stored clients, regardless of their age. */
export const openTeams = shareQuery<StoredTeams>({ documents: [DOCUMENTS.teams] }, readTeams);

/**
 * When the clients were fetched, ms since the epoch; undefined if the list is damaged. The list may
 * have thousands of entries; if the screens have read it, it is not read and parsed a second time.
 */
export const findTeamsFetchedAt = async (db: UserDatabase): Promise<number | undefined> =>
  openTeams(db).get()?.fetchedAt ?? (await readTeams(db))?.fetchedAt;

/** The most recently fetched staff list, as stored. */
export const openProducers = shareQuery<readonly Producer[]>(
  { documents: [DOCUMENTS.producers] },
  async (db) => {
    const document = await findDocument(db, DOCUMENTS.producers);
    return document && parseProducers(document.value);
  },
);
