import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Cancellation, Ports } from '#domain/ports.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { type EventObject, fromCallback } from 'xstate';

import { createCancellation } from './cancellation.ts';
import { isOfOneRoom } from './catch-up.ts';
import { PREFETCH_ROOMS_MAX } from './limits.ts';
import { loadPage } from './load-page.ts';
import type { LeaderInput } from './room-sender.machine.ts';
import type { Task } from './task.ts';

/** Reads the newest page of each room of which nothing is known. */
const readUnseen = async (
  ports: Pick<Ports, 'realtime'>,
  leader: LeaderInput,
  rooms: readonly RoomKey[],
  cancel: Cancellation,
): Promise<void> => {
  for (const room of rooms.slice(0, PREFETCH_ROOMS_MAX)) {
    const known = await leader.store.findCoverage(room);
    if (cancel.aborted || !known.ok) return;
    if (known.value !== undefined) continue;
    const page = await loadPage(ports, leader, { room, count: HISTORY_PAGE_SIZE }, cancel);
    if (!page.ok && !isOfOneRoom(page.error)) return;
  }
};

/**
 * Reads ahead what nobody opened here yet, one room after the other, so that every room
 * opens without a network and is caught up from then on. A failure that concerns all rooms
 * ends it until the connection is back or the client list changes.
 */
export const prefetchRooms = (ports: Pick<Ports, 'realtime'>): Task<LeaderInput> =>
  fromCallback<EventObject, LeaderInput>(({ input }) => {
    const source = createCancellation();
    let wanted: readonly RoomKey[] | undefined;
    let isRunning = false;
    const run = async (): Promise<void> => {
      if (isRunning) return;
      isRunning = true;
      while (wanted !== undefined && !source.cancellation.aborted) {
        const rooms = wanted;
        wanted = undefined;
        await readUnseen(ports, input, rooms, source.cancellation);
      }
      isRunning = false;
    };
    const unwatch = input.store.watchRooms((rooms) => {
      wanted = rooms;
      void run();
    });
    return () => {
      unwatch();
      source.abort();
    };
  });
