import type { ComponentProps, ComponentType } from 'react';
import { createTheme, MantineContext, MantineThemeProvider } from '@mantine/core';

import './mantine.css';

/**
 * The part of Mantine's theme that is set in code; global.css has every colour. In Mantine, the
 * product's only accent is named `teal`.
 */
const theme = createTheme({
  primaryColor: 'teal',
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    Menu: { defaultProps: { transitionProps: { duration: 90 } } },
    Tooltip: { defaultProps: { openDelay: 250 } },
  },
});

const nothing = (): void => undefined;

const SETTINGS: ComponentProps<typeof MantineContext>['value'] = {
  colorScheme: 'auto',
  setColorScheme: nothing,
  clearColorScheme: nothing,
  getRootElement: () => document.documentElement,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
};

/**
 * A component with Mantine's settings for everything in it; the first load of a conversation
 * contains no Mantine code, and neither does the sign-in page. `MantineProvider` also contains the
 * generator of the styles that global.css already has; every page would load it unused.
 */
export const withMantine = <P extends object>(Part: ComponentType<P>): ComponentType<P> =>
  function Themed(props: P) {
    return (
      <MantineContext value={SETTINGS}>
        <MantineThemeProvider theme={theme}>
          <Part {...props} />
        </MantineThemeProvider>
      </MantineContext>
    );
  };
