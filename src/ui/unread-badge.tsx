import { toUnreadLabel } from '#domain/rules/unread-label.ts';

import classes from './unread-badge.module.css';

/**
 * Description of a control with unread messages and of its other content: `aria-description`, never
 * its name.
 */
export const toUnreadDescription = (
  count: number,
  ...more: readonly (string | false | undefined)[]
): string | undefined =>
  [count > 0 && `${toUnreadLabel(count)} unread`, ...more].filter(Boolean).join(', ') || undefined;

/** The number of unread messages; visual only. */
export const UnreadBadge = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <span aria-hidden className={classes['root']} data-unread={toUnreadLabel(count)} />
  );
