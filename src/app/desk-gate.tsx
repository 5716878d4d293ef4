import { type ReactNode, useEffect, useRef } from 'react';
import { Loader } from '@mantine/core';
import { useSelector } from '@xstate/react';

import { StoreProvider } from '#db/hooks/store-context.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { Delayed } from '#src/ui/delayed.tsx';
import { lazyComponent } from '#src/ui/lazy-component.tsx';
import { showToast } from '#src/ui/toast-store.ts';

import { useDeskActor } from '#src/actors/desk-actors.ts';

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

/** Shows the signed-in pages once the user's store is open, or why it cannot be opened. */
export const DeskGate = ({ children }: { readonly children: ReactNode }) => {
  const desk = useDeskActor();
  // The page's ports open stores with a database (compose-ports.ts).
  const store = useSelector(desk, (snapshot) => snapshot?.context.store as UserStore | undefined);
  const error = useSelector(desk, (snapshot) => snapshot?.context.error);
  useLossToast(
    useSelector(desk, (snapshot) => snapshot?.matches('lost') === true),
    store,
  );
  if (store !== undefined) return <StoreProvider store={store}>{children}</StoreProvider>;
  return (
    <main id="main" style={{ display: 'grid', minHeight: '100dvh', placeItems: 'center' }}>
      {error ? (
        <StorageFailed error={error} onRetry={() => desk?.send({ type: 'retry.requested' })} />
      ) : (
        <Delayed>
          <Loader role="status" aria-label="Loading" />
        </Delayed>
      )}
    </main>
  );
};
