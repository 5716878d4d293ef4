import { useSyncExternalStore } from 'react';

import type { SpaceView } from '#db/schema/space-state.ts';
import { useStore } from './store-context.ts';

export type { SpaceView };

const NEVER = () => () => undefined;
const FREE: SpaceView = { isFull: false, isClosed: false, reopened: 0, held: [], isCut: false };

/** What there is to say about this device's disk. */
export const useSpace = (): SpaceView => {
  const space = useStore()?.database.space;
  return useSyncExternalStore(space?.watch ?? NEVER, () => space?.view ?? FREE);
};
