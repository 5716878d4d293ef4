import { memo, useState } from 'react';

import { TEXTS } from '#domain/errors.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toDayLabel } from '#domain/text/date-label.ts';
import type { HistoryView } from '#src/actors/desk.ts';
import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';
import { useSearch } from '#src/ui/address.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

import classes from './room-thread.module.css';
import type { Jump } from '../linked/find-linked.ts';
import { Thread } from './thread.tsx';
import type { Reading } from './reading.ts';
import { ThreadHead } from './thread-head.tsx';
import type { ThreadRow } from '../rows/thread-row.ts';

/** Most rooms have messages; without its chunk the pane stays empty. */
const EmptyThread = lazyComponent(() => import('../rows/empty-thread.tsx'), null);

/** Without its chunk the text alone is shown. */
const HistoryFailed = deferredComponent<{ readonly history: HistoryView }>(
  () => import('./history-failed.tsx'),
  ({ history }) =>
    history.state === 'error' && <p className={classes['banner']}>{TEXTS.historyFailed}</p>,
);

/** Few addresses have a query, which names a message; without the chunk a room opens at its end. */
const LinkedMessage = lazyComponent(() => import('../linked/linked-message.tsx'), null);

/**
 * History states of spec §4 around the thread; cached messages are shown in all of them. Being
 * offline is not a failure, and neither is a full disk: the notices above the page report them.
 */
export const RoomThread = memo(
  ({
    room,
    rows,
    history,
    title,
    offline,
    reading,
    today,
  }: {
    readonly room: RoomKey;
    readonly rows: readonly ThreadRow[] | undefined;
    readonly history: HistoryView;
    readonly title: string;
    readonly offline: boolean;
    readonly reading: Reading;
    /** A moment of today, ms since the epoch. */
    readonly today: number;
  }) => {
    const query = useSearch();
    const [jump, setJump] = useState<Jump | undefined>();
    return (
      <>
        {query !== '' && rows && (
          <LinkedMessage
            key={query}
            room={room}
            query={query}
            rows={rows}
            history={history}
            offline={offline}
            onJump={setJump}
          />
        )}
        {!offline && <HistoryFailed history={history} />}
        {rows === undefined || rows.length === 0 ? (
          <div role="region" aria-label="Messages" tabIndex={-1} className={classes['empty']}>
            {rows && <EmptyThread history={history} title={title} offline={offline} />}
          </div>
        ) : (
          <Thread
            rows={rows}
            jump={jump}
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
  },
);
