import type { InboxChoice, NewestByClient } from '#domain/rules/inbox.ts';

import { shareQuery } from '#db/read/watch.ts';
import { META } from '#db/schema/tables.ts';
import { findNewest } from '#db/read/queries.ts';
import {
  areClientsWide,
  findInboxChoice,
  listPinned,
  ORDER_MARKS,
  PIN_MARKS,
} from '#db/user/layout.ts';
import { useShared } from './use-shared.ts';

const openClientsWide = shareQuery<boolean>({ meta: [META.layout] }, areClientsWide);

/** Whether the client column is expanded on this device; undefined while loading. */
export const useClientsWide = (): boolean | undefined => useShared(openClientsWide);

const openInboxChoice = shareQuery<InboxChoice>(
  { meta: [META.inbox], log: [ORDER_MARKS] },
  findInboxChoice,
);

/** How the clients are filtered and ordered; undefined while loading. */
export const useInboxChoice = (): InboxChoice | undefined => useShared(openInboxChoice);

const areSame = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  some.size === others.size && [...some].every((each) => others.has(each));

/** The clients that the user pinned; the same set object until the pins change. */
export const openPinned = shareQuery<ReadonlySet<string>>(
  { log: [PIN_MARKS] },
  async (db, last) => {
    const pinned = await listPinned(db);
    return last !== undefined && areSame(pinned, last) ? last : pinned;
  },
);

/** The ids of the clients that the user pinned, on any device; undefined while loading. */
export const usePinned = (): ReadonlySet<string> | undefined => useShared(openPinned);

/** Read once: the summaries of the rooms contain later entries. */
const openNewest = shareQuery<NewestByClient>({ activity: [] }, findNewest);

/**
 * The newest entry of every client when the page started, which determines the order of the clients
 * until newer data is available; undefined while loading.
 */
export const useNewest = (): NewestByClient | undefined => useShared(openNewest);

/** The queries behind the first rendering of the columns. */
export const LAYOUT = [openClientsWide, openInboxChoice, openPinned, openNewest] as const;
