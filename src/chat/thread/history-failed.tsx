import { useState } from 'react';
import { Button } from '@mantine/core';

import { useSpace } from '#db/hooks/use-stored.ts';
import { TEXTS } from '#domain/errors.ts';
import { type HistoryView, useConnection } from '#src/actors/desk.ts';
import { Banner } from '#src/ui/banner.tsx';
import { passFocus } from '#src/ui/focus.ts';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

import classes from './room-thread.module.css';

/**
 * Whether the newest messages could not be read while the stream delivers; stays true during the
 * next attempt. If the stream is gone, too, the connection line reports it.
 */
const useNewestFailed = (newest: HistoryView['newest']): boolean => {
  const { kind } = useConnection();
  const [wasFailed, setFailed] = useState(false);
  const isFailed = kind === 'online' && (newest === 'failed' || (wasFailed && newest !== 'read'));
  if (isFailed !== wasFailed) setFailed(isFailed);
  return isFailed;
};

/** Whether the network failed, not this device. */
const useFailed = ({ state, moreFailed, newest }: HistoryView): boolean => {
  const { isFull } = useSpace();
  const isNewestFailed = useNewestFailed(newest);
  return !isFull && (state === 'error' || moreFailed || isNewestFailed);
};

const FailedBanner = withMantine(({ history }: { readonly history: HistoryView }) => (
  <div ref={passFocus} className={classes['banner']}>
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
));

/** Reports that the history, or older messages, could not be loaded. */
const HistoryFailed = ({ history }: { readonly history: HistoryView }) =>
  useFailed(history) ? <FailedBanner history={history} /> : null;

export default HistoryFailed;
