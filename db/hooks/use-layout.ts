import type { InboxHabits, NewestByClient } from '#domain/rules/inbox.ts';

import { shareQuery } from '#db/read/shared-query.ts';
import { findNewest } from '#db/read/queries.ts';
import { areClientsWide, findInboxHabits } from '#db/user/habits.ts';
import { useShared } from './use-shared.ts';

const openClientsWide = shareQuery<boolean>(async (db) => areClientsWide(db));

/** Whether the client column is expanded on this device; undefined while loading. */
export const useClientsWide = (): boolean | undefined => useShared(openClientsWide);

const openInboxHabits = shareQuery<InboxHabits>(async (db) => findInboxHabits(db));

/** How the clients are filtered and ordered on this device; undefined while loading. */
export const useInboxHabits = (): InboxHabits | undefined => useShared(openInboxHabits);

/** Read once: what comes later is in the summaries of the rooms. */
const openNewest = shareQuery<NewestByClient>(async (db, last) => last ?? findNewest(db));

/**
 * The newest entry of every client when the page started, by which the clients are ordered until
 * more is known; undefined while loading.
 */
export const useNewest = (): NewestByClient | undefined => useShared(openNewest);
