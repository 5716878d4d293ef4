import { areClientsWide } from '#db/user/habits.ts';
import { useStored } from './use-stored.ts';

/** Whether the client column is expanded on this device; undefined while loading. */
export const useClientsWide = (): boolean | undefined =>
  useStored<boolean>('clients wide', '', areClientsWide);
