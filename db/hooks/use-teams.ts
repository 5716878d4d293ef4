import { parseTeams, type Team } from '#domain/schemas/team.ts';

import { findDocument } from '#db/read/queries.ts';
import { DOCUMENTS } from '#db/schema/tables.ts';
import { useStored } from './use-stored.ts';

/** The stored clients, whatever their age; undefined while loading and before any fetch. */
export const useTeams = (): readonly Team[] | undefined =>
  useStored(DOCUMENTS.teams, '', async (db) =>
    parseTeams((await findDocument(db, DOCUMENTS.teams))?.value),
  );
