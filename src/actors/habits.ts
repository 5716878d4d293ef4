import { useMemo } from 'react';

import { useStore } from '#db/hooks/store-context.ts';
import type { AppError } from '#domain/errors.ts';
import type { Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';

import { useRuntime } from './runtime-context.ts';

/** What this device remembers of how its user works. */
export interface Habits {
  readonly noteVisit: (room: RoomKey) => void;
  readonly keepClientsWide: (wide: boolean) => void;
}

/** What cannot be stored is forgotten, which is logged: the next start only looks as the first. */
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
    };
  }, [clientLog, store]);
};
