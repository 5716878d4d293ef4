import { parseProducers, type Producer } from '#domain/schemas/producer.ts';

import { DOCUMENTS } from '../schema/tables.ts';
import { findDocument } from './queries.ts';
import { shareQuery } from './shared-query.ts';

/** The stored staff list, as fetched last. */
export const openProducers = shareQuery<readonly Producer[]>(async (db) => {
  const document = await findDocument(db, DOCUMENTS.producers);
  return document && parseProducers(document.value);
});
