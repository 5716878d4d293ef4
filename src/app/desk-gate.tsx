import { type ReactNode, useEffect, useRef } from 'react';
import { Button, Loader } from '@mantine/core';
import { IconDatabaseOff } from '@tabler/icons-react';
import { useSelector } from '@xstate/react';

import { StoreProvider } from '#db/hooks/store-context.ts';
import type { UserStore } from '#db/user-store.ts';
import { TEXTS } from '#domain/errors.ts';
import { Delayed } from '#src/feedback/delayed.tsx';
import { EmptyState } from '#src/feedback/empty-state.tsx';
import { showToast } from '#src/feedback/toast-store.ts';

import { useDeskActor } from './desk-actors.ts';

const LOST =
  "This browser's storage was cleared while the page was open. Messages are being loaded again; any still waiting to be sent may be lost.";

/** Tells of storage that was cleared under the page, once it is open again. */
const useLossToast = (lost: boolean, store: UserStore | undefined): void => {
  const wasLost = useRef(false);
  useEffect(() => {
    if (lost) wasLost.current = true;
    if (!wasLost.current || store === undefined) return;
    wasLost.current = false;
    showToast('error', LOST);
  }, [lost, store]);
};

/** Shows the signed-in half once the user's store is open, or why it cannot be opened. */
export const DeskGate = ({ children }: { readonly children: ReactNode }) => {
  const desk = useDeskActor();
  // The page's ports open stores with a database (compose-ports.ts).
  const store = useSelector(desk, (snapshot) => snapshot?.context.store as UserStore | undefined);
  const failed = useSelector(desk, (snapshot) => snapshot?.context.error !== undefined);
  useLossToast(
    useSelector(desk, (snapshot) => snapshot?.matches('lost') === true),
    store,
  );
  if (store !== undefined) return <StoreProvider store={store}>{children}</StoreProvider>;
  return (
    <main id="main" style={{ display: 'grid', minHeight: '100dvh', placeItems: 'center' }}>
      {failed ? (
        <div role="alert">
          <EmptyState
            icon={<IconDatabaseOff />}
            title={TEXTS.title}
            text="The storage of this browser could not be opened. Close other tabs of Replay Desk or free some space, then try again."
          >
            <Button onClick={() => desk?.send({ type: 'retry.requested' })}>Try again</Button>
          </EmptyState>
        </div>
      ) : (
        <Delayed>
          <Loader role="status" aria-label="Loading" />
        </Delayed>
      )}
    </main>
  );
};
