import type { OutdatedFlag, StoreFlag, StoreFlags } from '#domain/ports/device.ts';
import type { Ids } from '#domain/ports/kit.ts';

import { localFlags } from './local-flags.ts';

const PREFIX = 'replay-desk-store-';
const FLAGS: ReadonlySet<string> = new Set<StoreFlag>(['open', 'unsent', 'kept']);

const isFlag = (value: string | null): value is StoreFlag => value !== null && FLAGS.has(value);

/**
 * Whether a user's store is open on this device, which suggests a session: known at once, before
 * any database has opened. A store is marked once its keys are known.
 */
export const hasOpenStore = (): boolean =>
  localFlags
    .keys()
    .some(
      (key) => key.startsWith(PREFIX) && ['open', 'unsent'].includes(localFlags.find(key) ?? ''),
    );

/**
 * A flag is a state under an id that only the server can relate to a person. If the browser denies
 * flags, a loss of storage goes unnoticed.
 */
export const createStoreFlags = (): StoreFlags => ({
  find: (storeId) => {
    const value = localFlags.find(PREFIX + storeId);
    return isFlag(value) ? value : undefined;
  },
  set: (storeId, flag) => localFlags.set(PREFIX + storeId, flag),
  remove: (storeId) => localFlags.remove(PREFIX + storeId),
});

const OUTDATED_KEY = 'replay-desk-session';

/** If the browser denies flags, a start shows the stored session until the server answers. */
export const createOutdatedFlag = (ids: Ids): OutdatedFlag => ({
  // Pages of earlier versions set a word instead of an id.
  isSet: () => localFlags.find(OUTDATED_KEY) !== null,
  set: () => {
    const id = ids.next();
    localFlags.set(OUTDATED_KEY, id);
    return id;
  },
  remove: (id) => {
    if (localFlags.find(OUTDATED_KEY) === id) localFlags.remove(OUTDATED_KEY);
  },
});
