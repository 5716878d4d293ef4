import { useMemo } from 'react';

import { useStore } from '#db/hooks/store-context.ts';
import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { InboxChoice } from '#domain/rules/inbox.ts';

import { useRuntime } from './runtime-context.ts';

/**
 * The user's choices for the lists of clients and rooms, stored on this device; the order of
 * clients is recorded for all devices of the user. A failed write is logged and ignored: the next
 * start looks like the first.
 */
export const useLocalChoices = () => {
  const { clientLog } = useRuntime().ports;
  const store = useStore();
  return useMemo(() => {
    const keep = async (stored: Promise<Result<void, AppError>> | undefined): Promise<void> => {
      const result = await stored;
      if (result?.ok === false) {
        clientLog.write('warn', 'CHOICE_UNSTORED', { kind: result.error.kind });
      }
    };
    return {
      recordVisit: (room: RoomKey) => void keep(store?.recordVisit(room)),
      saveClientsWide: (wide: boolean) => void keep(store?.saveClientsWide(wide)),
      saveInbox: (choice: Partial<InboxChoice>) => void keep(store?.saveInboxChoice(choice)),
    };
  }, [clientLog, store]);
};
