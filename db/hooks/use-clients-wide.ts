import { shareQuery } from '#db/read/shared-query.ts';
import { areClientsWide } from '#db/user/habits.ts';
import { useShared } from './use-shared.ts';

const openClientsWide = shareQuery<boolean>(async (db) => areClientsWide(db));

/** Whether the client column is expanded on this device; undefined while loading. */
export const useClientsWide = (): boolean | undefined => useShared(openClientsWide);
