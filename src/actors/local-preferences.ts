import { useMemo } from 'react';

import { useStore } from '#db/hooks/store-context.ts';
import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { InboxPreferences } from '#domain/rules/inbox.ts';

import { useRuntime } from './runtime-context.ts';

/**
 * The user's preferences on this device. A failed write is logged and ignored: the next start looks
 * like the first.
 */
export const useLocalPreferences = () => {
  const { clientLog } = useRuntime().ports;
  const store = useStore();
  return useMemo(() => {
    const keep = async (stored: Promise<Result<void, AppError>> | undefined): Promise<void> => {
      const result = await stored;
      if (result?.ok === false) {
        clientLog.write('warn', 'PREFERENCE_NOT_STORED', { kind: result.error.kind });
      }
    };
    return {
      recordVisit: (room: RoomKey) => void keep(store?.recordVisit(room)),
      keepClientsWide: (wide: boolean) => void keep(store?.keepClientsWide(wide)),
      keepInbox: (preferences: Partial<InboxPreferences>) =>
        void keep(store?.keepInboxPreferences(preferences)),
    };
  }, [clientLog, store]);
};
