import { Button } from '@mantine/core';
import { IconDatabaseOff } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';
import { EmptyState } from '#src/feedback/empty-state.tsx';

/** Stands in place of the desk whose storage does not open. */
const StorageFailed = ({ onRetry }: { readonly onRetry: () => void }) => (
  <div role="alert">
    <EmptyState
      icon={<IconDatabaseOff />}
      title={TEXTS.title}
      text="The storage of this browser could not be opened. Close other tabs of Replay Desk or free some space, then try again."
    >
      <Button onClick={onRetry}>Try again</Button>
    </EmptyState>
  </div>
);

export default StorageFailed;
