import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconDatabaseOff, IconHourglass } from '@tabler/icons-react';

import { type AppError, TEXTS } from '#domain/errors.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

interface Notice {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
}

const HELD: Notice = {
  icon: <IconHourglass />,
  title: "Waiting for this browser's storage",
  text: 'Another Replay Desk tab may not be responding. Close your other Replay Desk tabs, and this page continues.',
};

const FULL: Notice = {
  icon: <IconDatabaseOff />,
  title: "This device's storage is full",
  text: 'Free up some space. Replay Desk then opens automatically. Nothing saved is lost.',
};

const FAILED: Notice = {
  icon: <IconDatabaseOff />,
  title: TEXTS.title,
  text: "Replay Desk can't open this browser's storage. Close other Replay Desk tabs or free up space, then try again.",
};

const toNotice = ({ kind }: AppError): Notice => {
  if (kind === 'timeout') return HELD;
  return kind === 'quota' ? FULL : FAILED;
};

/** Replaces the signed-in pages while the storage does not open; explains what to do. */
const StorageFailed = ({
  error,
  onRetry,
}: {
  readonly error: AppError;
  readonly onRetry: () => void;
}) => (
  <main id="main" style={{ display: 'grid', minHeight: '100dvh', placeItems: 'center' }}>
    <div role="alert">
      <EmptyState {...toNotice(error)} level="h1">
        <Button onClick={onRetry}>Try again</Button>
      </EmptyState>
    </div>
  </main>
);

export default withMantine(StorageFailed);
