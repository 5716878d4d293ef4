import { useCallback } from 'react';

import { useCatchUp } from '#db/hooks/use-catch-up.ts';
import type { AppError } from '#domain/errors.ts';
import type { UnreadPositions } from '#domain/ports/storage.ts';
import type { Result } from '#domain/result.ts';
import { beingRestored } from '#src/ui/page-frame.ts';

import { useDesk } from './desk.ts';

/**
 * Restores what was unread before an action that the user undoes. An open room is not kept unread
 * by it: what the user sees there is read again.
 */
export const useRestoreUnread = (): ((
  positions: UnreadPositions,
) => Promise<Result<void, AppError>>) => {
  const desk = useDesk();
  const catchUp = useCatchUp();
  return useCallback(
    async (positions) => {
      const rooms = [...positions.keys()];
      beingRestored.push(...rooms);
      try {
        const restored = await desk.markUnread(positions);
        await catchUp();
        return restored;
      } finally {
        for (const room of rooms) beingRestored.splice(beingRestored.indexOf(room), 1);
      }
    },
    [desk, catchUp],
  );
};
