import { isSameUnread, type UnreadByRoom } from '#domain/rules/unread.ts';

import { listUnread } from '#db/read/unread.ts';
import { useStored } from './use-stored.ts';

/** Unread messages of `uid`, by room; undefined while loading. */
export const useUnread = (uid: string): UnreadByRoom | undefined =>
  useStored<UnreadByRoom>(`unread ${uid}`, '', async (db, last) => {
    const next = await listUnread(db, uid);
    return last && isSameUnread(last, next) ? last : next;
  });
