import { Button } from '@mantine/core';
import { IconCloudOff, IconMessagePlus } from '@tabler/icons-react';

import { useSpace } from '#db/hooks/use-space.ts';
import { TEXTS } from '#domain/errors.ts';
import { toDayLabel } from '#domain/text/date-label.ts';
import type { HistoryView } from '#src/actors/actors.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Delayed } from '#src/ui/delayed.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';

import classes from './room-thread.module.css';
import { Thread } from './thread.tsx';
import type { Reading } from './reading.ts';
import { ThreadHead } from './thread-head.tsx';
import type { ThreadRow } from '../rows/thread-row.ts';
import { ThreadSkeleton } from './thread-skeleton.tsx';

const Empty = ({
  history,
  title,
  offline,
}: {
  readonly history: HistoryView;
  readonly title: string;
  readonly offline: boolean;
}) => {
  if (offline && history.state !== 'success') {
    return (
      <EmptyState
        icon={<IconCloudOff size={26} stroke={1.6} />}
        title="Not downloaded yet"
        text="These messages load when you're back online. You can write now; it will be sent then."
      />
    );
  }
  if (history.state === 'success') {
    return (
      <EmptyState
        icon={<IconMessagePlus size={26} stroke={1.6} />}
        title="No messages yet"
        text={`Messages in ${title} appear here. Say hello.`}
      />
    );
  }
  return history.state === 'loading' ? (
    <Delayed>
      <ThreadSkeleton />
    </Delayed>
  ) : undefined;
};

const HistoryFailed = ({ history }: { readonly history: HistoryView }) => {
  const { isFull } = useSpace();
  if (isFull || (history.state !== 'error' && !history.moreFailed)) return undefined;
  return (
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
};

/**
 * History states of spec §4 around the thread; cached messages are shown in all of them. Being
 * offline is not a failure, and neither is a full disk: the lines above the page report them.
 */
export const RoomThread = ({
  rows,
  history,
  title,
  offline,
  reading,
  today,
}: {
  readonly rows: readonly ThreadRow[] | undefined;
  readonly history: HistoryView;
  readonly title: string;
  readonly offline: boolean;
  readonly reading: Reading;
  /** A moment of today, ms since the epoch. */
  readonly today: number;
}) => (
  <>
    {!offline && <HistoryFailed history={history} />}
    {rows === undefined || rows.length === 0 ? (
      <div role="region" aria-label="Messages" className={classes['empty']}>
        {rows !== undefined && <Empty history={history} title={title} offline={offline} />}
      </div>
    ) : (
      <Thread
        rows={rows}
        history={history}
        reading={reading}
        head={
          <ThreadHead
            history={history}
            offline={offline}
            firstDay={history.hasMore ? '' : toDayLabel(Date.parse(rows[0]?.iso ?? ''), today)}
            allNew={reading.isAllNew}
          />
        }
      />
    )}
  </>
);
