import { parseProducers, type Producer } from '#domain/schemas/producer.ts';

import { findDocument } from '#db/read/queries.ts';
import { shareQuery } from '#db/read/shared-query.ts';
import { DOCUMENTS } from '#db/schema/tables.ts';
import { useShared } from './use-shared.ts';

const openProducers = shareQuery<readonly Producer[]>(async (db) => {
  const document = await findDocument(db, DOCUMENTS.producers);
  return document && parseProducers(document.value);
});

/** The stored producers; undefined while loading and before any fetch. */
export const useProducers = (): readonly Producer[] | undefined => useShared(openProducers);
