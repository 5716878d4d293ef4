import { parseProducers, type Producer } from '#domain/schemas/producer.ts';
import { parseTeams, type Team } from '#domain/schemas/team.ts';

import { findDocument } from '../queries.ts';
import { DOCUMENTS } from '../tables.ts';
import { useStored } from './use-stored.ts';

/** The stored clients, whatever their age; undefined while loading and before any fetch. */
export const useTeams = (): readonly Team[] | undefined =>
  useStored(DOCUMENTS.teams, '', async (db) =>
    parseTeams((await findDocument(db, DOCUMENTS.teams))?.value),
  );

/** The stored producers; undefined while loading and before any fetch. */
export const useProducers = (): readonly Producer[] | undefined =>
  useStored(DOCUMENTS.producers, '', async (db) => {
    const document = await findDocument(db, DOCUMENTS.producers);
    return document && parseProducers(document.value);
  });
