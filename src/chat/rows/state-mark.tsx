import { IconClock, IconLoader2 } from '@tabler/icons-react';

import classes from './state-mark.module.css';
import type { MessageState } from './thread-row.ts';

/** The state of the user's unsent message; nothing once it is sent. */
export const StateMark = ({ state }: { readonly state: MessageState }) => {
  if (state === 'queued') {
    return (
      <span className={classes['root']}>
        <IconClock size={14} aria-hidden /> <span>Queued</span>
      </span>
    );
  }
  if (state === 'sending') {
    return (
      <span className={classes['root']}>
        <IconLoader2 className={classes['turning']} size={14} aria-hidden /> <span>Sending</span>
      </span>
    );
  }
  return undefined;
};
