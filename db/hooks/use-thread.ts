import { useMemo } from 'react';

import type { ThreadItem } from '#domain/project/rows.ts';
import { addHeld, composeThread, keepIdentities } from '#domain/project/thread.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { findThreadParts } from '#db/read/queries.ts';

import { useSpace } from './use-space.ts';
import { useStored } from './use-stored.ts';

/**
 * The content of a room: stored messages from `from` on (while that is unknown: the newest
 * page) and those held in memory on a full disk, then the own unsent messages. Undefined while
 * loading. Unchanged items keep their identity.
 */
export const useThread = (
  room: RoomKey,
  from: Timetoken | undefined,
  uid: string,
): readonly ThreadItem[] | undefined => {
  const stored = useStored<readonly ThreadItem[]>(
    `thread ${room} ${uid}`,
    from ?? '',
    async (db, last) => {
      const { rows, items, ranges } = await findThreadParts(db, room, from);
      const next = composeThread(rows, items, uid, ranges);
      return last ? keepIdentities(last, next) : next;
    },
  );
  const { held, isClosed } = useSpace();
  return useMemo(() => {
    const here = held.filter((row) => row.room === room);
    if (here.length > 0) return addHeld(stored ?? [], here, uid);
    return stored ?? (isClosed ? [] : undefined);
  }, [stored, held, isClosed, room, uid]);
};
