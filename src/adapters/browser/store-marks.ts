import type { OutdatedMark, StoreMark, StoreMarks } from '#domain/ports/device.ts';
import type { Ids } from '#domain/ports/kit.ts';

import { marks } from './marks.ts';

const PREFIX = 'replay-desk-store-';
const MARKS: ReadonlySet<string> = new Set<StoreMark>(['open', 'unsent', 'kept']);

const isMark = (value: string | null): value is StoreMark => value !== null && MARKS.has(value);

/**
 * Whether a user's store is open on this device, which suggests a session: known at once, before
 * any database has opened. A store is marked once its keys are known.
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

/** If the browser denies marks, a start shows the stored session until the server answers. */
export const createOutdatedMark = (ids: Ids): OutdatedMark => ({
  // Pages of earlier versions set a word instead of an id.
  isSet: () => marks.find(OUTDATED_KEY) !== null,
  set: () => {
    const id = ids.next();
    marks.set(OUTDATED_KEY, id);
    return id;
  },
  remove: (id) => {
    if (marks.find(OUTDATED_KEY) === id) marks.remove(OUTDATED_KEY);
  },
});
