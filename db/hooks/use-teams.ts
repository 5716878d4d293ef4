import { keepSameTeams, parseTeams, type Team } from '#domain/schemas/team.ts';

import { findDocument } from '#db/read/queries.ts';
import { shareQuery } from '#db/read/shared-query.ts';
import { DOCUMENTS } from '#db/schema/tables.ts';
import { useShared } from './use-shared.ts';

/** The stored clients. */
export const openTeams = shareQuery<readonly Team[]>(async (db, last) => {
  const teams = parseTeams((await findDocument(db, DOCUMENTS.teams))?.value);
  return teams && keepSameTeams(last ?? [], teams);
});

/** The stored clients, whatever their age; undefined while loading and before any fetch. */
export const useTeams = (): readonly Team[] | undefined => useShared(openTeams);
