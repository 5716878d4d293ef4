import { useCallback } from 'react';

import { threadsOf } from '#db/read/threads.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { findLastRoom } from '#domain/rules/room-navigation.ts';

import { useStore } from './store-context.ts';
import { openVisited } from './use-visited.ts';

/** Returns a function that reads a room which the user is about to open. */
export const usePrepareRoom = (): ((room: RoomKey) => void) => {
  const db = useStore()?.database;
  return useCallback(
    (room) => {
      if (db !== undefined) threadsOf(db).open(room);
    },
    [db],
  );
};

/** Like `usePrepareRoom`, for a room of a client, or the one opened last. */
export const usePrepareClient = (): ((clientId: string, room: RoomKey | undefined) => void) => {
  const db = useStore()?.database;
  const prepare = usePrepareRoom();
  return useCallback(
    (clientId, room) => {
      if (db !== undefined) prepare(room ?? findLastRoom(clientId, openVisited(db).get() ?? []));
    },
    [db, prepare],
  );
};
