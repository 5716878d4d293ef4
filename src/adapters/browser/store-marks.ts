import type { StoreMark, StoreMarks } from '#domain/ports/device.ts';

import { marks } from './marks.ts';

const PREFIX = 'replay-desk-store-';
const MARKS: ReadonlySet<string> = new Set<StoreMark>(['open', 'unsent', 'kept']);

const isMark = (value: string | null): value is StoreMark => value !== null && MARKS.has(value);

/**
 * A mark holds one word and is named by a number that only the server can relate to a person.
 * Where the browser forbids marks a loss of storage is not noticed.
 */
export const createStoreMarks = (): StoreMarks => ({
  find: (storeId) => {
    const value = marks.find(PREFIX + storeId);
    return isMark(value) ? value : undefined;
  },
  set: (storeId, mark) => marks.set(PREFIX + storeId, mark),
  remove: (storeId) => marks.remove(PREFIX + storeId),
});
