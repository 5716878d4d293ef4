import { useCallback, useEffect, useMemo } from 'react';

import { threadsOf } from '#db/read/threads.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import type { ThreadItem } from '#domain/project/rows.ts';
import { addHeld } from '#domain/project/thread.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { useStore } from './store-context.ts';
import { useShared, useSubscription } from './use-shared.ts';
import { useSpace } from './use-stored.ts';

/**
 * The content of a room: the stored messages starting at `from` (while that is undefined: the
 * newest page) and those held in memory on a full disk, then the user's unsent messages. Undefined
 * while loading. Unchanged items keep their identity.
 */
export const useThread = (
  room: RoomKey,
  from: Timetoken | undefined,
  uid: string,
): readonly ThreadItem[] | undefined => {
  const db = useStore()?.database;
  const model = useMemo(() => db && threadsOf(db).open(room), [db, room]);
  const stored = useSubscription(model);
  useEffect(() => model?.show(from), [model, from]);
  const { held, isClosed } = useSpace();
  return useMemo(() => {
    const here = held.filter((row) => row.room === room);
    if (here.length > 0) return addHeld(stored ?? [], here, uid);
    return stored ?? (isClosed ? [] : undefined);
  }, [stored, held, isClosed, room, uid]);
};

/** Whether this device holds the first message of a room; undefined while loading. */
export const useStartKnown = (room: RoomKey): boolean | undefined =>
  useShared(useCallback((db: UserDatabase) => threadsOf(db).open(room).start, [room]));

/**
 * The position from which a room's thread contains every stored message; undefined while loading.
 */
export const useThreadFloor = (room: RoomKey): Timetoken | undefined =>
  useShared(useCallback((db: UserDatabase) => threadsOf(db).open(room).floor, [room]));
