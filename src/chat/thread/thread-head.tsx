import { Button } from '@mantine/core';

import { NewLine } from '../rows/new-line.tsx';
import type { HistoryView } from '#src/actors/actors.ts';

import classes from './thread-head.module.css';

/** Height kept free above the first message whatever stands there, CSS pixels. */
export const THREAD_HEAD_PX = 84;

/**
 * Above the first message: the way to older ones, where the room begins, or, while neither is
 * known, only that older ones are not here while offline.
 */
export const ThreadHead = ({
  history,
  offline,
  firstDay,
  allNew,
}: {
  readonly history: HistoryView;
  readonly offline: boolean;
  /** The day of the room's first message. */
  readonly firstDay: string;
  /** What is new begins with the first message shown. */
  readonly allNew: boolean;
}) => (
  <div className={classes['root']}>
    {history.hasMore && (
      <Button
        variant="default"
        size="xs"
        radius="xl"
        loading={history.fetchingMore}
        onClick={() => history.fetchMore()}
      >
        Fetch more
      </Button>
    )}
    {history.state !== 'success' && offline && (
      <p className={classes['start']}>Older messages aren't downloaded yet.</p>
    )}
    {history.state === 'success' && !history.hasMore && (
      <>
        <p className={classes['start']}>This is the start of the conversation.</p>
        {firstDay !== '' && <p className={classes['day']}>{firstDay}</p>}
      </>
    )}
    {allNew && <NewLine />}
  </div>
);
