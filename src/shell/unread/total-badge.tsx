import { usePageFrame } from '#src/ui/page-frame.ts';
import { UnreadBadge } from '#src/ui/unread-badge.tsx';

import classes from './total-badge.module.css';

/** The number in the browser's tab, on a control that leads to Chat; visual only. */
const TotalBadge = () => {
  const { total } = usePageFrame();
  return total === 0 ? null : (
    <span className={classes['root']}>
      <UnreadBadge count={total} />
    </span>
  );
};

export default TotalBadge;
