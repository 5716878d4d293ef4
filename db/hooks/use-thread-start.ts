import { useCallback } from 'react';

import { threadsOf } from '#db/read/threads.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { useShared } from './use-shared.ts';

/** Whether this device holds the first message of a room; undefined while loading. */
export const useStartKnown = (room: RoomKey): boolean | undefined =>
  useShared(useCallback((db: UserDatabase) => threadsOf(db).open(room).start, [room]));

/**
 * The position from which a room's thread contains every stored message; undefined while loading.
 */
export const useThreadFloor = (room: RoomKey): Timetoken | undefined =>
  useShared(useCallback((db: UserDatabase) => threadsOf(db).open(room).floor, [room]));
