import type { InboxPreferences, NewestByClient } from '#domain/rules/inbox.ts';

import { shareQuery } from '#db/read/shared-query.ts';
import { findNewest } from '#db/read/queries.ts';
import { areClientsWide, findInboxPreferences, listPinned } from '#db/user/local-preferences.ts';
import { useShared } from './use-shared.ts';

const openClientsWide = shareQuery<boolean>(areClientsWide);

/** Whether the client column is expanded on this device; undefined while loading. */
export const useClientsWide = (): boolean | undefined => useShared(openClientsWide);

const openInboxPreferences = shareQuery<InboxPreferences>(findInboxPreferences);

/** How the clients are filtered and ordered on this device; undefined while loading. */
export const useInboxPreferences = (): InboxPreferences | undefined =>
  useShared(openInboxPreferences);

const areSame = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  some.size === others.size && [...some].every((each) => others.has(each));

/** The clients that the user pinned; the same set until another one is pinned. */
export const openPinned = shareQuery<ReadonlySet<string>>(async (db, last) => {
  const pinned = await listPinned(db);
  return last !== undefined && areSame(pinned, last) ? last : pinned;
});

/** The ids of the clients that the user pinned, on any device; undefined while loading. */
export const usePinned = (): ReadonlySet<string> | undefined => useShared(openPinned);

/** Read once: what comes later is in the summaries of the rooms. */
const openNewest = shareQuery<NewestByClient>(async (db, last) => last ?? findNewest(db));

/**
 * The newest entry of every client when the page started, by which the clients are ordered until
 * more is known; undefined while loading.
 */
export const useNewest = (): NewestByClient | undefined => useShared(openNewest);

/** The queries of how the columns look at first. */
export const LAYOUT = [openClientsWide, openInboxPreferences, openPinned, openNewest] as const;
