import { useStore } from '#db/hooks/store-context.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { previousTimetoken } from '#domain/timetoken.ts';
import { markRead } from '#machines/outbox/commands.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';

import { useRuntime } from './runtime-context.ts';

const FAILED = "Couldn't mark all as read: this device couldn't save the change.";

/** Marks every room as read to its end; the toast can undo it. */
export const useMarkAllRead = (unread: UnreadByRoom): (() => Promise<void>) => {
  const { ports } = useRuntime();
  const store = useStore();
  return async () => {
    // Without a store nothing is known to be unread.
    if (store === undefined) return;
    const restore = async (): Promise<void> => {
      const before = Array.from(
        unread,
        // A user who answers meanwhile has read the room.
        ([room, { first }]) => [room, { from: previousTimetoken(first), upTo: first }] as const,
      );
      showFailure(await store.recordUnread(new Map(before)));
    };
    const isStored = await markRead(
      ports,
      store,
      new Map(Array.from(unread.keys(), (room) => [room, undefined])),
    );
    if (!isStored) return showToast('error', FAILED);
    showToast('info', 'All rooms are marked as read.', {
      label: 'Undo',
      run: () => void restore(),
    });
  };
};
