import { useCallback } from 'react';

import { useStore } from '#db/hooks/store-context.ts';
import { useCatchUp } from '#db/hooks/use-catch-up.ts';
import { type AppError, NOT_OPEN } from '#domain/errors.ts';
import type { UnreadPositions } from '#domain/ports/storage.ts';
import { fail, type Result } from '#domain/result.ts';
import { beingRestored } from '#src/ui/page-frame.ts';

/** Runs an Undo; until it has ended, it does not keep its rooms unread. */
const restoring = async <T>(positions: UnreadPositions, undo: () => Promise<T>): Promise<T> => {
  const rooms = [...positions.keys()];
  beingRestored.push(...rooms);
  try {
    return await undo();
  } finally {
    for (const room of rooms) beingRestored.splice(beingRestored.indexOf(room), 1);
  }
};

/**
 * Restores unread messages after the user has undone an action that marked them as read. It does
 * not keep an open room unread: messages that the user sees there are read again.
 */
export const useRestoreUnread = (): ((
  positions: UnreadPositions,
) => Promise<Result<void, AppError>>) => {
  const store = useStore();
  const catchUp = useCatchUp();
  return useCallback(
    (positions) =>
      restoring(positions, async () => {
        const restored = await (store?.recordUnread(positions) ?? fail(NOT_OPEN));
        await catchUp();
        return restored;
      }),
    [store, catchUp],
  );
};
