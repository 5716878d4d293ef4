import { Button } from '@mantine/core';

import { TEXTS } from '#domain/errors.ts';
import type { HistoryView } from '#src/actors/desk.ts';
import { Banner } from '#src/ui/banner.tsx';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

import classes from './room-thread.module.css';

/** The history, or older messages, could not be loaded. */
const HistoryFailed = ({ history }: { readonly history: HistoryView }) => (
  <div className={classes['banner']}>
    <Banner text={TEXTS.historyFailed}>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => (history.moreFailed ? history.fetchMore() : history.retry())}
      >
        Try again
      </Button>
    </Banner>
  </div>
);

export default withMantine(HistoryFailed);
