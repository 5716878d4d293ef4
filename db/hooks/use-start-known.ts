import type { RoomKey } from '#domain/rooms.ts';

import { findCoverage } from '#db/log/readable-tables.ts';
import { useStored } from './use-stored.ts';

/** Whether this device holds the first message of a room; undefined while loading. */
export const useStartKnown = (room: RoomKey): boolean | undefined =>
  useStored(
    `start ${room}`,
    '',
    async (db) => (await findCoverage(db, room))?.reachedStart === true,
  );
