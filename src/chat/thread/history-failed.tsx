import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '@mantine/core';

import { useSpace } from '#db/hooks/use-stored.ts';
import { TEXTS } from '#domain/errors.ts';
import { type HistoryView, useConnection } from '#src/actors/desk.ts';
import { Banner } from '#src/ui/banner.tsx';
import { passFocus } from '#src/ui/focus.ts';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

import classes from './room-thread.module.css';

/**
 * `disconnected`: there is no stream, and the last read began without one. `retrying`: it failed,
 * and another one begins. `failed` stays during the next attempts.
 */
type Stage = 'disconnected' | 'retrying' | 'ok' | 'failed';

const toStage = (last: Stage, isOnline: boolean, newest: HistoryView['newest']): Stage => {
  if (!isOnline) return 'disconnected';
  if (newest === 'read') return 'ok';
  if (newest === 'failed')
    return last === 'disconnected' || last === 'retrying' ? 'retrying' : 'failed';
  return last === 'retrying' ? 'ok' : last;
};

/**
 * Whether the newest messages could not be read while the stream delivers. If the stream is gone,
 * too, the connection line reports it; once it is back they are read again at once.
 */
const useNewestFailed = ({ newest }: HistoryView, retry: () => void): boolean => {
  const isOnline = useConnection().kind === 'online';
  const [last, setLast] = useState<Stage>('ok');
  const stage = toStage(last, isOnline, newest);
  if (stage !== last) setLast(stage);
  const readAgain = useEffectEvent(retry);
  useEffect(() => {
    if (stage === 'retrying') readAgain();
  }, [stage]);
  return stage === 'failed';
};

/** Fetches older messages again once the connection returns, if that failed. */
const useFetchAgain = (history: HistoryView): void => {
  const isOnline = useConnection().kind === 'online';
  const fetchAgain = useEffectEvent(() => {
    if (history.moreFailed) history.fetchMore();
  });
  useEffect(() => {
    if (isOnline) fetchAgain();
  }, [isOnline]);
};

/** Whether the network failed, not this device. */
const useFailed = (history: HistoryView): boolean => {
  const { isFull } = useSpace();
  useFetchAgain(history);
  const isNewestFailed = useNewestFailed(history, () => history.retry());
  return !isFull && (history.state === 'error' || history.moreFailed || isNewestFailed);
};

/** Whether the user's own attempt is running; `ask` begins one. */
const useAsked = (isReading: boolean) => {
  const [isAsked, setAsked] = useState(false);
  const [wasReading, setWasReading] = useState(isReading);
  if (isReading !== wasReading) {
    setWasReading(isReading);
    if (!isReading) setAsked(false);
  }
  return { isAsked, ask: () => setAsked(true) };
};

const FailedBanner = withMantine(({ history }: { readonly history: HistoryView }) => {
  const { isAsked, ask } = useAsked(history.newest === 'reading');
  const tryAgain = (): void => {
    if (history.moreFailed) history.fetchMore();
    if (history.moreFailed && history.newest !== 'failed') return;
    ask();
    history.retry();
  };
  return (
    <div ref={passFocus} className={classes['banner']}>
      <Banner text={isAsked ? 'Trying again…' : TEXTS.historyFailed}>
        <Button size="compact-sm" variant="default" onClick={tryAgain}>
          Try again
        </Button>
      </Banner>
    </div>
  );
});

/** Reports that the history, or older messages, could not be loaded. */
const HistoryFailed = ({ history }: { readonly history: HistoryView }) =>
  useFailed(history) ? <FailedBanner history={history} /> : null;

export default HistoryFailed;
