import { Tooltip } from '@mantine/core';
import type { ComponentProps } from 'react';

import { TEXTS } from '#domain/errors.ts';

import { ClientsErrorButton } from './clients-error-button.tsx';

/** Within a landmark, as all that is on the page. */
const PORTAL = { target: '#main' };

/** The failed client list with the tooltip of spec §8. */
const ClientsError = (props: ComponentProps<typeof ClientsErrorButton>) => (
  <Tooltip
    label={TEXTS.clientsFailed}
    position="right"
    portalProps={PORTAL}
    // On phones there is room below alone.
    middlewares={{ shift: true, flip: { fallbackPlacements: ['bottom'] } }}
    events={{ hover: true, focus: true, touch: true }}
  >
    <ClientsErrorButton {...props} />
  </Tooltip>
);

export default ClientsError;
