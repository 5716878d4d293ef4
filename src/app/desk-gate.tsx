import { type ReactNode, useEffect, useRef } from 'react';
import { useSelector } from '@xstate/react';

import { StoreProvider } from '#db/hooks/store-context.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { showToast } from '#src/ui/toasts/toast-store.ts';

import { useDeskActor } from '#src/actors/desk.ts';
import { useRuntime } from '#src/actors/runtime-context.ts';

const StorageFailed = lazyComponent(() => import('./storage-failed.tsx'));

const LOST =
  "This browser's storage was cleared. Messages are loading again, but unsent ones may be lost.";

/** Reports storage that was cleared under the page, once it is open again. */
const useLossToast = (lost: boolean, store: UserStore | undefined): void => {
  const wasLost = useRef(false);
  useEffect(() => {
    if (lost) wasLost.current = true;
    if (!wasLost.current || store === undefined) return;
    wasLost.current = false;
    showToast('error', LOST);
  }, [lost, store]);
};

/**
 * Shows the signed-in pages, whose frame waits for the user's store, or the reason why it cannot be
 * opened. Nothing of one user's pages is left for the next.
 */
export const DeskGate = ({ children }: { readonly children: ReactNode }) => {
  const desk = useDeskActor();
  // The page's ports open stores with a database (compose-ports.ts).
  const store = useSelector(desk, (snapshot) => snapshot?.context.store as UserStore | undefined);
  // Known before the code of the signed-in part has loaded: another key would mount the frame a
  // second time.
  const uid = useSelector(useRuntime().app, ({ context }) => context.uid);
  const error = useSelector(desk, (snapshot) => snapshot?.context.error);
  useLossToast(
    useSelector(desk, (snapshot) => snapshot?.matches('lost') === true),
    store,
  );
  if (store === undefined && error !== undefined) {
    return <StorageFailed error={error} onRetry={() => desk?.send({ type: 'retry.requested' })} />;
  }
  return (
    <StoreProvider key={uid} store={store}>
      {children}
    </StoreProvider>
  );
};
