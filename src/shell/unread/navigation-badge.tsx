import { ROUTES } from '#domain/routes.ts';
import { usePageFrame } from '#src/ui/page-frame.ts';
import { UnreadBadge } from '#src/ui/unread-badge.tsx';

import classes from './navigation-badge.module.css';
import { useDueReminders } from './use-due-reminders.ts';

const Badge = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span className={classes['root']}>
      <UnreadBadge count={count} />
    </span>
  );

const useDueCount = (): number => useDueReminders()?.due.size ?? 0;

const TotalBadge = () => <Badge count={usePageFrame().total} />;

const RemindersBadge = () => <Badge count={useDueCount()} />;

const SumBadge = () => <Badge count={usePageFrame().total + useDueCount()} />;

/**
 * On a control that leads to Chat: the number in the browser's tab; on one that leads to Home: the
 * number of reminders that are due; on one that leads to all pages: their sum. Visual only.
 */
const NavigationBadge = ({ to }: { readonly to?: string }) => {
  if (to === undefined) return <SumBadge />;
  if (to === ROUTES.chat) return <TotalBadge />;
  return to === ROUTES.home ? <RemindersBadge /> : null;
};

export default NavigationBadge;
