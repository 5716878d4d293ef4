import { useLayoutEffect } from 'react';
import { IconCloudOff, IconMessagePlus } from '@tabler/icons-react';

import type { HistoryView } from '#src/actors/desk.ts';
import { Delayed } from '#src/ui/waiting.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { passThreadFocus } from '#src/ui/focus.ts';

import classes from './empty-thread.module.css';

const LINES = ['62%', '38%', '74%', '51%', '67%', '29%'] as const;

/** Placeholder for messages that are loading, only if none is cached. */
const ThreadSkeleton = () => (
  <div role="status" aria-label="Loading messages" className={classes['root']}>
    {LINES.map((width) => (
      <div key={width} className={classes['row']}>
        <span className={classes['avatar']} />
        <span className={classes['name']} />
        <span className={classes['text']} style={{ width }} />
      </div>
    ))}
  </div>
);

/**
 * The content of an empty thread: that messages are loading or not downloaded, or that there are
 * none yet.
 */
const EmptyThread = ({
  history,
  title,
  offline,
}: {
  readonly history: HistoryView;
  readonly title: string;
  readonly offline: boolean;
}) => {
  useLayoutEffect(passThreadFocus, []);
  if (offline && history.state !== 'success') {
    return (
      <EmptyState
        icon={<IconCloudOff size={26} stroke={1.6} />}
        title="Not downloaded yet"
        text="These messages load when you're back online. Messages you write now are sent then."
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

export default EmptyThread;
