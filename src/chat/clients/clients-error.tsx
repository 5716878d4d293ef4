import { Tooltip } from '@mantine/core';
import type { ComponentProps } from 'react';

import { TEXTS } from '#domain/errors.ts';

import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

import { ClientsErrorButton } from './clients-error-button.tsx';

/** Within a landmark, like everything on the page. */
const PORTAL = { target: '#main' };

/** The failed client list with the tooltip of spec §8. */
const ClientsError = (props: ComponentProps<typeof ClientsErrorButton>) => (
  <Tooltip
    label={TEXTS.clientsFailed}
    position="right"
    portalProps={PORTAL}
    // On phones there is space only below.
    middlewares={{ shift: true, flip: { fallbackPlacements: ['bottom'] } }}
    events={{ hover: true, focus: true, touch: true }}
  >
    <ClientsErrorButton {...props} />
  </Tooltip>
);

export default withMantine(ClientsError);
