import { useSyncExternalStore } from 'react';

import { SpaceState, type SpaceView } from '#db/schema/space-state.ts';
import { useStore } from './store-context.ts';

export type { SpaceView };

const NO_STORE = new SpaceState();

/** The state of this device's disk. */
export const useSpace = (): SpaceView => {
  const space = useStore()?.database.space ?? NO_STORE;
  return useSyncExternalStore(space.watch, () => space.view);
};
