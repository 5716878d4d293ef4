import { shallowEqual, useSelector } from '@xstate/react';

import { selectReturned } from '#machines/sign-out/unsent-restore.machine.ts';
import type { Returned } from '#machines/sign-out/restore-unsent.ts';

import { useKeptActor } from './desk-actors.ts';

export interface ReturnedView extends Returned {
  dismissLoss(): void;
  discardUnreadable(): void;
}

/** The state of kept messages and of a lost store. */
export const useReturned = (): ReturnedView => {
  const kept = useKeptActor();
  const view = useSelector(kept, selectReturned, shallowEqual);
  return {
    ...view,
    dismissLoss: () => kept?.send({ type: 'loss.dismissed' }),
    discardUnreadable: () => kept?.send({ type: 'discard.chosen' }),
  };
};
