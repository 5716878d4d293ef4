import { Tooltip } from '@mantine/core';
import { IconAlertCircle, IconRefresh } from '@tabler/icons-react';
import type { ComponentProps } from 'react';

import { TEXTS } from '#domain/errors.ts';

import { useTeamsStatus } from '#src/actors/desk.ts';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

import classes from './clients-state.module.css';

/** The red icon of a failed client list; a click retries. */
const ClientsErrorButton = ({
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

/** The tooltip is within a landmark, like everything on the page. */
const PORTAL = { target: '#main' };

/** The failed client list with the tooltip of spec §8. */
const ClientsError = ({ expanded }: { readonly expanded: boolean }) => {
  const status = useTeamsStatus();
  return (
    <Tooltip
      label={TEXTS.clientsFailed}
      position="right"
      portalProps={PORTAL}
      // On phones there is space only below.
      middlewares={{ shift: true, flip: { fallbackPlacements: ['bottom'] } }}
      events={{ hover: true, focus: true, touch: true }}
    >
      <ClientsErrorButton expanded={expanded} onClick={() => status.retry()} />
    </Tooltip>
  );
};

export default withMantine(ClientsError);
