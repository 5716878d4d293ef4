import { shallowEqual, useSelector } from '@xstate/react';

import { selectReturned } from '#machines/sign-out/unsent-restore.machine.ts';
import type { Returned } from '#machines/sign-out/restore-unsent.ts';

import { useKeptActor } from './desk-actors.ts';

export interface ReturnedView extends Returned {
  dismissLoss(): void;
  discardUnreadable(): void;
}

/** What there is to say about kept messages and about a store that was lost. */
export const useReturned = (): ReturnedView => {
  const kept = useKeptActor();
  const view = useSelector(kept, selectReturned, shallowEqual);
  return {
    ...view,
    dismissLoss: () => kept?.send({ type: 'loss.dismissed' }),
    discardUnreadable: () => kept?.send({ type: 'discard.chosen' }),
  };
};
