import { useCallback } from 'react';

import { SettingsPage } from '#src/sections/settings-page.tsx';

import { useRuntime } from '#src/actors/runtime-context.ts';
import { withMantine } from '#src/ui/mantine/with-mantine.tsx';

/** The settings page with its server calls. */
const SettingsRoute = () => {
  const { ports, signalSession } = useRuntime();
  const onUnauthenticated = useCallback(
    () => signalSession({ type: 'session.revalidate' }),
    [signalSession],
  );
  return <SettingsPage openApi={ports.openSessionsApi} onUnauthenticated={onUnauthenticated} />;
};

export default withMantine(SettingsRoute);
