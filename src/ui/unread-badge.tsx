import { toUnreadLabel } from '#domain/rules/unread.ts';

import classes from './unread-badge.module.css';

/** Description of a control with unread messages: `aria-description`, never its name. */
export const toUnreadDescription = (count: number): string | undefined =>
  count === 0 ? undefined : `${toUnreadLabel(count)} unread`;

/** The number of unread messages; visual only. */
export const UnreadBadge = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span aria-hidden className={classes['root']} data-unread={toUnreadLabel(count)} />
  );
