import '../globals.ts';

import { summariesOf } from '#db/read/summary-model.ts';
import { unreadOf } from '#db/read/unread-model.ts';
import { toUserDatabaseName, type UserDatabase } from '#db/schema/database.ts';
import type { Store } from '#domain/ports/storage.ts';

import type { Figures } from '../../variant.ts';
import type { SimDevice, SimWorld } from '../device.ts';
import type { Lane } from '../scheduler.ts';

/** The newest fencing token on a device's disk. */
const findFence = (device: SimDevice, uid: string): number => {
  const rows = device.disk.rows(toUserDatabaseName(uid), 'meta');
  return rows.find(({ key }) => key === 'leader')?.fence ?? 0;
};

/** The store that a tab opened last. */
export interface Opened {
  readonly uid: string;
  /** ms since the epoch, virtual */
  readonly at: number;
}

/** The leader, if the tab leads: fences begin again in a store that a sign-out deleted. */
export const toLeader = (lane: Lane, device: SimDevice, opened: Opened | undefined): string =>
  opened === undefined ? lane.name : `${lane.name} ${opened.at} ${findFence(device, opened.uid)}`;

/**
 * A store under observation: facts of one user may not enter another's store, and a leader's
 * writes count only while no other tab has taken over.
 */
export const watchStore = (store: Store, uid: string, device: SimDevice): Store => {
  const { reportViolation } = device.world;
  return {
    ...store,
    append: async (facts, fence) => {
      for (const fact of facts) {
        if ('uid' in fact && fact.uid !== uid) {
          reportViolation(
            'nothing under another uid',
            `${fact.type} of ${fact.uid} stored for ${uid}`,
          );
        }
      }
      return store.append(facts, fence);
    },
  };
};

/**
 * A leader's store observed outside any wrapper: a write with a replaced fencing token must be
 * refused.
 */
export const watchFence = (store: Store, uid: string, device: SimDevice): Store => ({
  ...store,
  append: async (facts, fence) => {
    const newest = fence === undefined ? 0 : findFence(device, uid);
    const stored = await store.append(facts, fence);
    if (stored.ok && fence !== undefined && newest > fence && facts.length > 0) {
      device.world.reportViolation(
        'one leader at a time',
        `wrote under ${fence}, the newest is ${newest}`,
      );
    }
    return stored;
  },
});

/**
 * The models from which the screens of a store's user show figures; undefined if none are shown.
 */
export const openFigures = (
  db: UserDatabase,
  { counts, mutation }: Pick<SimWorld, 'counts' | 'mutation'>,
): Figures | undefined =>
  counts ? mutation.wrapFigures({ unread: unreadOf(db), summaries: summariesOf(db) }) : undefined;
