import { Component, type ComponentType, type ReactNode, useLayoutEffect, useState } from 'react';
import { IconAlertCircle } from '@tabler/icons-react';

import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';

import './global.css';
import { TEXTS } from '#domain/errors.ts';
import { findPage } from '#domain/routes.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { PlainButton } from '#src/ui/plain-button.tsx';
import { Toasts } from '#src/ui/toasts/toasts.tsx';
import { loadDeskPart } from '#src/boot/load-desk-part.ts';
import { RequireSession } from '#src/auth/require-session.tsx';
import { usePathname } from '#src/ui/address.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

interface Properties {
  readonly children: ReactNode;
}

/** Opening another page, or the return of the network, tries again. */
const Failure = ({ retry }: { readonly retry: () => void }) => {
  const path = usePathname();
  const [failedPath] = useState(path);
  // Listens from the moment that it is shown.
  useLayoutEffect(() => {
    if (path !== failedPath) retry();
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [failedPath, path, retry]);
  return (
    <main style={{ display: 'grid', minHeight: '100dvh', placeItems: 'center' }}>
      <div role="alert">
        <EmptyState
          level="h1"
          icon={<IconAlertCircle />}
          title={TEXTS.title}
          text="This page stopped working. Your messages are saved and will be sent."
        >
          <PlainButton
            kind="normal"
            text="Reload the page"
            onClick={() => window.location.reload()}
          />
        </EmptyState>
      </div>
    </main>
  );
};

/** Replaces the whole page after an error instead of leaving it blank, and offers a reload. */
export class ErrorBoundary extends Component<Properties, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  readonly #retry = (): void => this.setState({ failed: false });

  override render(): ReactNode {
    return this.state.failed ? <Failure retry={this.#retry} /> : this.props.children;
  }
}

const LateAuthPages = lazyComponent(() => import('./auth-pages.tsx'));
const DeskPages = lazyComponent(loadDeskPart(() => import('./desk-pages.tsx')));

interface AppProps {
  /** The signed-out pages, if the document contains one already: nothing is shown in its place. */
  readonly AuthPages?: ComponentType<{ readonly page: 'login' | 'register' }> | undefined;
}

/** All addresses of spec §2. The signed-out and the signed-in pages load separately. */
const Router = ({ AuthPages = LateAuthPages }: AppProps) => {
  const page = findPage(usePathname());
  if (page === 'login' || page === 'register') return <AuthPages page={page} />;
  return (
    <RequireSession>
      <DeskPages page={page} />
    </RequireSession>
  );
};

const UpdatePrompt = deferredComponent(() => import('#src/status/update-prompt.tsx'));

/** The device's light or dark setting decides; nothing is stored. */
const useDeviceScheme = (): void => {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = (): void =>
      void (dataset['mantineColorScheme'] = dark.matches ? 'dark' : 'light');
    apply();
    dark.addEventListener('change', apply);
    return () => dark.removeEventListener('change', apply);
  }, []);
};

/** The whole user interface. */
export const App = ({ AuthPages }: AppProps) => {
  useDeviceScheme();
  return (
    <ErrorBoundary>
      <ErrorBoundary>
        <Router AuthPages={AuthPages} />
      </ErrorBoundary>
      <UpdatePrompt />
      <Toasts />
    </ErrorBoundary>
  );
};
