import { type MantineColorSchemeManager, MantineProvider, createTheme } from '@mantine/core';

import { UpdatePrompt } from '#src/status/update-prompt.tsx';
import { Toasts } from '#src/ui/toasts.tsx';

import './global.css';
import { ErrorBoundary } from './error-boundary.tsx';
import { Router } from './router.tsx';

const nothing = (): void => undefined;

/** The device's light or dark setting decides; nothing is stored. */
const followsDevice: MantineColorSchemeManager = {
  get: () => 'auto',
  set: nothing,
  subscribe: nothing,
  unsubscribe: nothing,
  clear: nothing,
};

/**
 * The part of Mantine's theme that is set in code; global.css has every colour. Mantine knows the
 * product's only accent as `teal`. Components are named here without an import, so that the
 * sign-in page does not load them.
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

/** The whole user interface. Mantine injects no styles: global.css has them. */
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
