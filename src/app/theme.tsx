import { type ComponentProps, type ReactNode, useLayoutEffect } from 'react';
import { createTheme, MantineContext, MantineThemeProvider } from '@mantine/core';

/**
 * The part of Mantine's theme that is set in code; global.css has every colour. Mantine knows the
 * product's only accent as `teal`. Components are named here without an import, so that the
 * sign-in page does not load them.
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

/** The device's light or dark setting decides; nothing is stored. */
const useDeviceScheme = (): void => {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = (): void =>
      void (dataset['mantineColorScheme'] = dark.matches ? 'dark' : 'light');
    apply();
    dataset['respectReducedMotion'] = 'true';
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  }, []);
};

/**
 * Mantine's settings for everything inside. `MantineProvider` also contains the generator of the
 * styles that global.css has; the first load of every page would carry it unused.
 */
export const Theme = ({ children }: { readonly children: ReactNode }) => {
  useDeviceScheme();
  return (
    <MantineContext value={SETTINGS}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
};
