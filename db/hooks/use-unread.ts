import type { UnreadByRoom } from '#domain/rules/unread.ts';

import { unreadOf } from '#db/read/unread-model.ts';
import { useShared } from './use-shared.ts';

/** Unread messages of the signed-in user, by room; undefined while loading. */
export const useUnread = (): UnreadByRoom | undefined => useShared(unreadOf);
