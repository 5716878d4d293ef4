import { useEffect, useState } from 'react';

import type { RoomKey } from '#domain/rooms.ts';

import { shareQuery } from '#db/read/watch.ts';
import { reportQueryFailed, withReopening } from '#db/schema/storage-errors.ts';
import { META } from '#db/schema/tables.ts';
import { listVisited } from '#db/user/layout.ts';
import { useStore } from './store-context.ts';

/**
 * The rooms opened on this device, newest first; a visit appears some time after it was recorded.
 */
export const openVisited = shareQuery<readonly RoomKey[]>({ meta: [META.visited] }, listVisited);

/** The rooms opened on this device until now, newest first; undefined while loading. */
export const useVisited = (): readonly RoomKey[] | undefined => {
  const db = useStore()?.database;
  const [visited, setVisited] = useState<readonly RoomKey[]>();
  useEffect(() => {
    let isUsed = true;
    const read = async (): Promise<void> => {
      if (db === undefined) return;
      let found: readonly RoomKey[] | undefined;
      try {
        // A read waits for the visits that are being stored.
        found = await withReopening(db, () => listVisited(db));
      } catch (error) {
        reportQueryFailed(db, 'visited', error);
      }
      // Without them, the client opens at its first room.
      if (isUsed) setVisited((known) => found ?? known ?? []);
    };
    void read();
    return () => {
      isUsed = false;
    };
  }, [db]);
  return visited;
};
