import { useEffect, useState } from 'react';

import type { UnreadByRoom } from '#domain/rules/unread.ts';

import type { unreadOf } from '#db/read/unread-model.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { useStore } from './store-context.ts';
import { useSubscription } from './use-shared.ts';

type Open = typeof unreadOf;

/** No first paint needs it. Without its chunk nothing counts as unread. */
const useOpen = (db: UserDatabase | undefined): Open | undefined => {
  const [open, setOpen] = useState<Open | undefined>();
  useEffect(() => {
    const load = async (): Promise<void> => {
      try {
        const part = await import('#db/read/unread-model.ts');
        setOpen(() => part.unreadOf);
      } catch (error) {
        db?.clientLog.write('error', 'UNREAD_UNAVAILABLE', { message: String(error) });
      }
    };
    if (open === undefined) void load();
  }, [db, open]);
  return open;
};

/** Unread messages of the signed-in user, by room, and those at the start; undefined while loading. */
export const useUnread = (): Readonly<Record<'known' | 'atStart', UnreadByRoom | undefined>> => {
  const db = useStore()?.database;
  const open = useOpen(db);
  const model = db && open?.(db);
  return { known: useSubscription(model), atStart: model?.atStart };
};
