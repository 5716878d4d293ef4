import './global.css';
import { type MantineColorSchemeManager, MantineProvider } from '@mantine/core';

import { lazyComponent } from '#src/ui/lazy-component.tsx';

import { ErrorBoundary } from './error-boundary.tsx';
import { Router } from './router.tsx';
import { theme } from './theme.ts';

const nothing = (): void => undefined;

/** Without its chunk the version in use goes on. */
const UpdatePrompt = lazyComponent(
  () => import('#src/status/update-prompt.tsx'),
  () => null,
);

/** What fails before they are here is shown when they are. */
const Toasts = lazyComponent(
  () => import('#src/ui/toasts.tsx'),
  () => null,
);

/** The device's own light or dark setting decides; nothing is stored. */
const followsDevice: MantineColorSchemeManager = {
  get: () => 'auto',
  set: nothing,
  subscribe: nothing,
  unsubscribe: nothing,
  clear: nothing,
};

/** Everything seen. Mantine injects no styles: they stand in global.css. */
export const App = () => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={followsDevice}
    withCssVariables={false}
    withGlobalClasses={false}
  >
    <ErrorBoundary>
      <Router />
      <UpdatePrompt />
      <Toasts />
    </ErrorBoundary>
  </MantineProvider>
);
