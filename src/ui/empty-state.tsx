import type { ReactNode } from 'react';

import classes from './empty-state.module.css';

/** An empty place: what it is and what to do, centred. */
export const EmptyState = ({
  icon,
  title,
  text,
  level = 'h2',
  children,
}: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  /** The page's only heading is an `h1`. */
  readonly level?: 'h1' | 'h2';
  readonly children?: ReactNode;
}) => {
  const Heading = level;
  return (
    <div className={classes['root']}>
      <span className={classes['icon']} aria-hidden>
        {icon}
      </span>
      <Heading className={classes['title']}>{title}</Heading>
      <p className={classes['text']}>{text}</p>
      {children !== undefined && <div className={classes['actions']}>{children}</div>}
    </div>
  );
};
