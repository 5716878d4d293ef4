import { useStore } from '#db/hooks/store-context.ts';
import type { ReadPositions, Store } from '#domain/ports/storage.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { previousTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { markRead } from '#machines/outbox/commands.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';

import { useRuntime } from './runtime-context.ts';

const FAILED = "Couldn't mark all as read: this device couldn't save the change.";

/** The positions of the newest entries of rooms. */
const findNewest = async (
  store: Store,
  rooms: ReadPositions,
): Promise<ReadonlyMap<RoomKey, Timetoken>> => {
  const found = await store.findRead(rooms);
  const facts = found.ok ? found.value : [];
  return new Map(
    facts.flatMap((fact) =>
      fact.type === 'v1.RoomRead' ? [[fact.room, fact.timetoken] as const] : [],
    ),
  );
};

/** Marks every room as read to its end; the toast can undo it. */
export const useMarkAllRead = (unread: UnreadByRoom): (() => Promise<void>) => {
  const { ports } = useRuntime();
  const store = useStore();
  return async () => {
    // Without a store nothing is known to be unread.
    if (store === undefined) return;
    const rooms = new Map(Array.from(unread.keys(), (room) => [room, undefined]));
    const newest = await findNewest(store, rooms);
    const restore = async (): Promise<void> => {
      const before = Array.from(unread, ([room, { first }]) => {
        // A user who answers meanwhile has read the room.
        const upTo = newest.get(room) ?? first;
        return [room, { from: previousTimetoken(first), upTo }] as const;
      });
      showFailure(await store.recordUnread(new Map(before)));
    };
    const isStored = await markRead(ports, store, rooms);
    if (!isStored) return showToast('error', FAILED);
    showToast('info', 'All rooms are marked as read.', {
      label: 'Undo',
      run: () => void restore(),
    });
  };
};
