import { IconAlertCircle, IconRefresh } from '@tabler/icons-react';
import type { ComponentProps } from 'react';

import { TEXTS } from '#domain/errors.ts';

import classes from './clients-state.module.css';

/** The red icon of a failed client list; a click retries. */
export const ClientsErrorButton = ({
  expanded,
  ...rest
}: { readonly expanded: boolean } & ComponentProps<'button'>) => (
  <button
    {...rest}
    type="button"
    // A tooltip around it passes down an empty class.
    className={classes['error']}
    data-expanded={expanded || undefined}
    aria-label={TEXTS.clientsFailed}
  >
    <IconAlertCircle size={22} aria-hidden />
    <span className={classes['text']}>{TEXTS.clientsFailed}</span>
    <IconRefresh className={classes['again']} size={18} aria-hidden />
  </button>
);
