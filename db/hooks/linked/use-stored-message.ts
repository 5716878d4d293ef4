import { useCallback } from 'react';

import { storedMessageOf } from '#db/read/stored-message.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import type { MessageRow } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { useShared } from '../use-shared.ts';

/**
 * The message at a position of a room; undefined while loading and if this device has none there.
 */
export const useStoredMessage = (room: RoomKey, at: Timetoken): MessageRow | undefined =>
  useShared(useCallback((db: UserDatabase) => storedMessageOf(db, room, at), [room, at]));
