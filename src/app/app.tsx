import { useLayoutEffect } from 'react';

import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';
import { Toasts } from '#src/ui/toasts/toasts.tsx';

import './global.css';
import { ErrorBoundary } from './error-boundary.tsx';
import { Router } from './router.tsx';

const UpdatePrompt = deferredComponent(() => import('#src/status/update-prompt.tsx'));

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

/** The whole user interface. */
export const App = () => {
  useDeviceScheme();
  return (
    <ErrorBoundary>
      <ErrorBoundary>
        <Router />
      </ErrorBoundary>
      <UpdatePrompt />
      <Toasts />
    </ErrorBoundary>
  );
};
