import { useSyncExternalStore } from 'react';

import { openProducers, openTeams } from '#db/read/fetched-lists.ts';
import { shareQuery } from '#db/read/watch.ts';
import { SpaceState, type SpaceView } from '#db/schema/space-state.ts';
import { META } from '#db/schema/tables.ts';
import { findDescriptions } from '#db/user/room-descriptions.ts';
import type { RoomId } from '#domain/rooms.ts';
import type { RoomDescriptions } from '#domain/schemas/config.ts';
import type { Producer } from '#domain/schemas/producer.ts';
import type { Team } from '#domain/schemas/team.ts';

import { useShared } from './use-shared.ts';
import { useStore } from './store-context.ts';

/** The stored clients, regardless of their age; undefined while loading and before any fetch. */
export const useTeams = (): readonly Team[] | undefined => useShared(openTeams)?.teams;

/** The stored producers; undefined while loading and before any fetch. */
export const useProducers = (): readonly Producer[] | undefined => useShared(openProducers);

const openDescriptions = shareQuery<RoomDescriptions>(
  { meta: [META.descriptions] },
  findDescriptions,
);

/** The operator's description of a room; undefined if there is none and while loading. */
export const useRoomDescription = (roomId: RoomId): string | undefined =>
  useShared(openDescriptions)?.[roomId];

export type { SpaceView };

const NO_STORE = new SpaceState();

/** The state of this device's disk. */
export const useSpace = (): SpaceView => {
  const space = useStore()?.database.space ?? NO_STORE;
  return useSyncExternalStore(space.watch, () => space.view);
};
