import { Loader, Tooltip } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';
import type { TeamsView } from '#src/app/actors.ts';
import { Delayed } from '#src/feedback/delayed.tsx';

import classes from './clients-state.module.css';

/**
 * Above the list: a spinner while nothing is known yet, a red icon with the tooltip of spec
 * §8 after a failure. Clients known from before stay on show below it.
 */
export const ClientsState = ({
  status,
  known,
  expanded,
}: {
  readonly status: TeamsView;
  readonly known: boolean;
  readonly expanded: boolean;
}) => {
  if (status.state === 'error') {
    return (
      <Tooltip
        label={TEXTS.clientsFailed}
        position="right"
        events={{ hover: true, focus: true, touch: true }}
      >
        <button
          type="button"
          className={classes['error']}
          data-expanded={expanded || undefined}
          aria-label={TEXTS.clientsFailed}
          onClick={() => status.retry()}
        >
          <IconAlertCircle size={22} aria-hidden />
          <span className={classes['text']}>Try again</span>
        </button>
      </Tooltip>
    );
  }
  if (known || status.state !== 'loading') return undefined;
  return (
    <div className={classes['loading']} aria-busy>
      <Delayed>
        <Loader size="sm" aria-label="Loading clients" />
      </Delayed>
    </div>
  );
};
