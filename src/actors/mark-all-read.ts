import { useStore } from '#db/hooks/store-context.ts';
import type { Fact } from '#domain/events.ts';
import { toUnreadFrom, type UnreadByRoom } from '#domain/rules/unread.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';

import { useRestoreUnread } from './restore-unread.ts';

const FAILED = "Couldn't mark all as read: this device couldn't save the change.";

/** Marks every room as read to its end; the toast can undo it. */
export const useMarkAllRead = (unread: UnreadByRoom): (() => Promise<void>) => {
  const store = useStore();
  const restoreUnread = useRestoreUnread();
  return async () => {
    // Without a store nothing is known to be unread.
    if (store === undefined) return;
    const rooms = Array.from(unread.keys(), (room) => [room, undefined] as const);
    const found = await store.findRead(new Map(rooms));
    if (!found.ok || !(await store.append(found.value)).ok) return showToast('error', FAILED);
    // A user who answers after the last position has read the room.
    const toUnread = (fact: Fact) => {
      const was = fact.type === 'v1.RoomRead' && unread.get(fact.room);
      return was ? [[fact.room, { from: toUnreadFrom(was), upTo: fact.timetoken }] as const] : [];
    };
    const restore = async (): Promise<void> => {
      showFailure(await restoreUnread(new Map(found.value.flatMap(toUnread))));
    };
    showToast('info', 'All rooms are marked as read.', {
      label: 'Undo',
      run: () => void restore(),
    });
  };
};
