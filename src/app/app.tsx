import { type MantineColorSchemeManager, MantineProvider, createTheme } from '@mantine/core';

import { lazyComponent } from '#src/ui/lazy-component.tsx';

import './global.css';
import { ErrorBoundary } from './error-boundary.tsx';
import { Router } from './router.tsx';

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

/**
 * What Mantine decides in code; every colour lives in global.css. `teal` is the name under
 * which the product's one accent is known to Mantine. Components are named here without
 * being imported, so that the sign-in page does not load them.
 */
const theme = createTheme({
  primaryColor: 'teal',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Menu: { defaultProps: { transitionProps: { duration: 90 } } },
    Tooltip: { defaultProps: { openDelay: 250 } },
  },
});

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
