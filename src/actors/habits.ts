import { useMemo } from 'react';

import { useStore } from '#db/hooks/store-context.ts';
import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { InboxHabits } from '#domain/rules/inbox.ts';

import { useRuntime } from './runtime-context.ts';

/** Habits of the user on this device. */
export interface Habits {
  readonly noteVisit: (room: RoomKey) => void;
  readonly keepClientsWide: (wide: boolean) => void;
  readonly keepInbox: (habits: Partial<InboxHabits>) => void;
}

/** A failed write is logged and ignored: the next start looks like the first. */
export const useHabits = (): Habits => {
  const { clientLog } = useRuntime().ports;
  const store = useStore();
  return useMemo(() => {
    const keep = async (stored: Promise<Result<void, AppError>> | undefined): Promise<void> => {
      const result = await stored;
      if (result?.ok === false) {
        clientLog.write('warn', 'HABIT_UNSTORED', { kind: result.error.kind });
      }
    };
    return {
      noteVisit: (room) => void keep(store?.noteVisit(room)),
      keepClientsWide: (wide) => void keep(store?.keepClientsWide(wide)),
      keepInbox: (habits) => void keep(store?.keepInboxHabits(habits)),
    };
  }, [clientLog, store]);
};
