import { useEffect, useState } from 'react';

import type { UnreadByRoom } from '#domain/rules/unread.ts';

import type { UnreadModel, unreadOf } from '#db/read/unread-model.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { useStore } from './store-context.ts';
import { useSubscription } from './use-shared.ts';

type Open = typeof unreadOf;

/** Not needed for the first paint. Without its chunk nothing counts as unread. */
const useOpen = (db: UserDatabase | undefined): Open | undefined => {
  const [open, setOpen] = useState<Open | undefined>();
  useEffect(() => {
    const load = async (): Promise<void> => {
      try {
        const part = await import('#db/read/unread-model.ts');
        setOpen(() => part.unreadOf);
      } catch (error) {
        db?.clientLog.write('error', 'UNREAD_FAILED', { message: String(error) });
      }
    };
    if (open === undefined) void load();
  }, [db, open]);
  return open;
};

/** The count of a store's unread messages; undefined while loading. */
export const useUnreadModel = (): UnreadModel | undefined => {
  const db = useStore()?.database;
  const open = useOpen(db);
  return db && open?.(db);
};

/** Unread messages of the signed-in user, by room; undefined while loading. */
export const useUnread = (): UnreadByRoom | undefined => useSubscription(useUnreadModel());
