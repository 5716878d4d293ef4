import { Button } from '@mantine/core';
import { IconMessagePlus } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';
import type { HistoryView } from '#src/app/actors.ts';
import { Banner } from '#src/feedback/banner.tsx';
import { Delayed } from '#src/feedback/delayed.tsx';
import { EmptyState } from '#src/feedback/empty-state.tsx';

import { toDayLabel } from './day-label.ts';
import classes from './room-thread.module.css';
import { Thread } from './thread.tsx';
import { ThreadHead } from './thread-head.tsx';
import type { ThreadRow } from './thread-row.ts';
import { ThreadSkeleton } from './thread-skeleton.tsx';

const Empty = ({ history, title }: { readonly history: HistoryView; readonly title: string }) => {
  if (history.state === 'success') {
    return (
      <EmptyState
        icon={<IconMessagePlus size={26} stroke={1.6} />}
        title="No messages yet"
        text={`Whatever is written in ${title} will be here. Say hello.`}
      />
    );
  }
  return history.state === 'loading' ? (
    <Delayed>
      <ThreadSkeleton />
    </Delayed>
  ) : undefined;
};

/** History states of spec §4 around the thread; what is known is shown in all of them. */
export const RoomThread = ({
  rows,
  history,
  title,
}: {
  readonly rows: readonly ThreadRow[] | undefined;
  readonly history: HistoryView;
  readonly title: string;
}) => (
  <>
    {history.state === 'error' && (
      <div className={classes['banner']}>
        <Banner text={TEXTS.historyFailed}>
          <Button size="compact-sm" variant="default" onClick={() => history.retry()}>
            Try again
          </Button>
        </Banner>
      </div>
    )}
    {rows === undefined || rows.length === 0 ? (
      <div role="region" aria-label="Messages" className={classes['empty']}>
        {rows !== undefined && <Empty history={history} title={title} />}
      </div>
    ) : (
      <Thread
        rows={rows}
        head={
          <ThreadHead
            hasMore={history.hasMore}
            fetching={history.fetchingMore}
            firstDay={history.hasMore ? '' : toDayLabel(Date.parse(rows[0]?.iso ?? ''))}
            onFetchMore={() => history.fetchMore()}
          />
        }
      />
    )}
  </>
);
