import { Tooltip } from '@mantine/core';
import { IconAlertCircle, IconRefresh } from '@tabler/icons-react';

import { TEXTS } from '#domain/errors.ts';

import { useTeamsStatus } from '#src/actors/desk.ts';
import { passFocus } from '#src/ui/focus.ts';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';
import { Spinner } from '#src/ui/waiting.tsx';

import classes from './clients-state.module.css';

/** The tooltip is within a landmark, like everything on the page. */
const PORTAL = { target: '#main' };

/** The failed client list with the tooltip of spec §8; a click retries. */
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
      <button
        ref={passFocus}
        type="button"
        className={classes['error']}
        data-expanded={expanded || undefined}
        aria-label={TEXTS.clientsFailed}
        aria-busy={status.refetching}
        onClick={() => status.retry()}
      >
        {status.refetching ? <Spinner size={22} /> : <IconAlertCircle size={22} aria-hidden />}
        <span className={classes['text']}>{TEXTS.clientsFailed}</span>
        <IconRefresh className={classes['again']} size={18} aria-hidden />
      </button>
    </Tooltip>
  );
};

export default withMantine(ClientsError);
