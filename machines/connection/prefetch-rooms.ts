import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RoomKey } from '#domain/rooms.ts';

import { reportThrown } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import { PREFETCH_ROOMS_MAX } from '../kit/limits.ts';
import { loadPage } from '../history/load-page.ts';
import { RoomReader } from './read-rooms.ts';
import type { LeaderInput } from '../kit/inputs.ts';

/** Reads the newest page of each room of which no page was read. */
const readUnseen = async (
  ports: Pick<Ports, 'realtime'>,
  leader: LeaderInput,
  reader: RoomReader,
  rooms: readonly RoomKey[],
  cancel: AbortSignal,
): Promise<void> => {
  const known = await leader.store.findAllCoverage();
  if (!known.ok) return;
  const { pages } = known.value;
  const unseen = rooms.slice(0, PREFETCH_ROOMS_MAX).filter((room) => !pages.has(room));
  await reader.read(unseen, cancel, (room) =>
    loadPage(ports, leader, { room, count: HISTORY_PAGE_SIZE }, cancel),
  );
};

/**
 * Prefetches rooms that were never opened, one after the other and up to `PREFETCH_ROOMS_MAX`, so
 * that they open without a network; the stream delivers later entries of all rooms. An outage stops
 * it until the next catch-up is done or the client list changes.
 */
export const prefetchRooms = (ports: Pick<Ports, 'realtime' | 'clientLog'>) => {
  const reader = new RoomReader(1);
  return fromSubscription<never, LeaderInput>((_tell, input) => {
    const controller = new AbortController();
    let wanted: readonly RoomKey[] | undefined;
    let isRunning = false;
    const run = async (): Promise<void> => {
      if (isRunning) return;
      isRunning = true;
      while (wanted !== undefined && !controller.signal.aborted) {
        const rooms = wanted;
        wanted = undefined;
        try {
          await readUnseen(ports, input, reader, rooms, controller.signal);
        } catch (error) {
          reportThrown(ports.clientLog, 'prefetch', error);
        }
      }
      isRunning = false;
    };
    const unwatch = input.store.watchRooms((rooms) => {
      wanted = rooms;
      void run();
    });
    return () => {
      unwatch();
      controller.abort();
    };
  });
};
