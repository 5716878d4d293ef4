import { createTheme } from '@mantine/core';

/**
 * What Mantine decides in code; every colour lives in global.css. `teal` is the name under
 * which the product's one accent is known to Mantine. Components are named here without
 * being imported, so that the sign-in page does not load them.
 */
export const theme = createTheme({
  primaryColor: 'teal',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Menu: { defaultProps: { transitionProps: { duration: 90 } } },
    Tooltip: { defaultProps: { openDelay: 250 } },
  },
});
