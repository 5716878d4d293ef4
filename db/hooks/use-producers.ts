import { parseProducers, type Producer } from '#domain/schemas/producer.ts';

import { findDocument } from '#db/read/queries.ts';
import { DOCUMENTS } from '#db/schema/tables.ts';
import { useStored } from './use-stored.ts';

/** The stored producers; undefined while loading and before any fetch. */
export const useProducers = (): readonly Producer[] | undefined =>
  useStored(DOCUMENTS.producers, '', async (db) => {
    const document = await findDocument(db, DOCUMENTS.producers);
    return document && parseProducers(document.value);
  });
