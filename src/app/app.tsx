import { UpdatePrompt } from '#src/status/update-prompt.tsx';
import { Toasts } from '#src/ui/toasts.tsx';

import './global.css';
import { ErrorBoundary } from './error-boundary.tsx';
import { Router } from './router.tsx';
import { Theme } from './theme.tsx';

/** The whole user interface. */
export const App = () => (
  <Theme>
    <ErrorBoundary>
      <Router />
      <UpdatePrompt />
      <Toasts />
    </ErrorBoundary>
  </Theme>
);
