import { Button } from '@mantine/core';
import { IconDatabaseOff } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';

/** Stands in place of the desk whose storage does not open. */
const StorageFailed = ({ onRetry }: { readonly onRetry: () => void }) => (
  <div role="alert">
    <EmptyState
      icon={<IconDatabaseOff />}
      title={TEXTS.title}
      text="Replay Desk can't open this browser's storage. Close other Replay Desk tabs or free up space, then try again."
    >
      <Button onClick={onRetry}>Try again</Button>
    </EmptyState>
  </div>
);

export default StorageFailed;
