import type { OutdatedMark, StoreMark, StoreMarks } from '#domain/ports/device.ts';

import { marks } from './marks.ts';

const PREFIX = 'replay-desk-store-';
const MARKS: ReadonlySet<string> = new Set<StoreMark>(['open', 'unsent', 'kept']);

const isMark = (value: string | null): value is StoreMark => value !== null && MARKS.has(value);

/**
 * Whether a user's store is open on this device, so that there probably is a session: known at
 * once, before any database is. A store is marked once its keys are known.
 */
export const hasOpenStore = (): boolean =>
  marks
    .keys()
    .some((key) => key.startsWith(PREFIX) && ['open', 'unsent'].includes(marks.find(key) ?? ''));

/**
 * A mark is a state under an id that only the server can relate to a person. If the browser denies
 * marks, a loss of storage goes unnoticed.
 */
export const createStoreMarks = (): StoreMarks => ({
  find: (storeId) => {
    const value = marks.find(PREFIX + storeId);
    return isMark(value) ? value : undefined;
  },
  set: (storeId, mark) => marks.set(PREFIX + storeId, mark),
  remove: (storeId) => marks.remove(PREFIX + storeId),
});

const OUTDATED_KEY = 'replay-desk-session';
const OUTDATED = 'outdated';

/** If the browser denies marks, a start shows the stored session until the server answers. */
export const createOutdatedMark = (): OutdatedMark => ({
  isSet: () => marks.find(OUTDATED_KEY) === OUTDATED,
  set: () => marks.set(OUTDATED_KEY, OUTDATED),
  remove: () => marks.remove(OUTDATED_KEY),
});
