import { toUnreadLabel } from '#domain/rules/unread.ts';

import classes from './unread-badge.module.css';

/** What a control with unread messages says of them: `aria-description`, never its name. */
export const toUnreadDescription = (count: number): string | undefined =>
  count === 0 ? undefined : `${toUnreadLabel(count)} unread`;

/** How many are unread; for the eye alone. */
export const UnreadBadge = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span aria-hidden className={classes['root']} data-unread={toUnreadLabel(count)} />
  );
