import { useCallback } from 'react';

import { reportQueryFailed } from '#db/schema/storage-errors.ts';
import { useStore } from './store-context.ts';
import { useUnreadModel } from './use-unread.ts';

/** `catchUp` for the signed-in user; a failure is logged. */
export const useCatchUp = (): (() => Promise<void>) => {
  const db = useStore()?.database;
  const model = useUnreadModel();
  return useCallback(async () => {
    if (db === undefined || model === undefined) return;
    try {
      const { catchUp } = await import('#db/user/catch-up.ts');
      await catchUp(db, model);
    } catch (error) {
      reportQueryFailed(db, 'unread marks', error);
    }
  }, [db, model]);
};
