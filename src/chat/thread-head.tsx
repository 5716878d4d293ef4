import { Button } from '@mantine/core';

import classes from './thread-head.module.css';

/** Height kept free above the first message whatever stands there, CSS pixels. */
export const THREAD_HEAD_PX = 84;

/**
 * Above the first message: the way to older ones, where the room begins, or, while neither is
 * known, only that older ones are not here while offline.
 */
export const ThreadHead = ({
  hasMore,
  known,
  offline,
  fetching,
  firstDay,
  onFetchMore,
}: {
  readonly hasMore: boolean;
  /** Whether `hasMore` is known yet. */
  readonly known: boolean;
  readonly offline: boolean;
  readonly fetching: boolean;
  /** The day of the room's first message. */
  readonly firstDay: string;
  readonly onFetchMore: () => void;
}) => (
  <div className={classes['root']}>
    {hasMore && (
      <Button variant="default" size="xs" radius="xl" loading={fetching} onClick={onFetchMore}>
        Fetch more
      </Button>
    )}
    {!known && offline && (
      <p className={classes['start']}>Older messages are not on this device yet.</p>
    )}
    {known && !hasMore && (
      <>
        <p className={classes['start']}>The conversation begins here.</p>
        {firstDay !== '' && <p className={classes['day']}>{firstDay}</p>}
      </>
    )}
  </div>
);
