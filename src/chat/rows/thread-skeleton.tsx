import classes from './thread-skeleton.module.css';

const LINES = ['62%', '38%', '74%', '51%', '67%', '29%'] as const;

/** Placeholder for messages that are loading, only if none is cached. */
export const ThreadSkeleton = () => (
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
