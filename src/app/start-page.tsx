import './zod-jitless.ts';

import { type ComponentProps, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';

import { findPage } from '#domain/routes.ts';
import { hasOpenStore } from '#src/adapters/browser/store-flags.ts';
import { toSignIn } from '#src/auth/require-session.tsx';
import { createPageRuntime } from '#src/boot/page-runtime.ts';
import { RuntimeContext } from '#src/actors/runtime-context.ts';
import { navigate } from '#src/ui/address.tsx';

import { App } from './app.tsx';

const root = document.querySelector('#root');
if (root === null) throw new Error('No #root');

const show = (AuthPages?: ComponentProps<typeof App>['AuthPages']): void => {
  if (AuthPages && findPage(location.pathname) !== 'login') navigate(toSignIn(), true);
  const page = (
    <StrictMode>
      <RuntimeContext value={createPageRuntime()}>
        <App AuthPages={AuthPages} />
      </RuntimeContext>
    </StrictMode>
  );
  if (AuthPages) hydrateRoot(root, page);
  else createRoot(root).render(page);
};

// The document contains the sign-in page if the request had no session (sign-in.html).
if (root.hasChildNodes() && !hasOpenStore())
  void import('./auth-pages.tsx').then(
    (part) => show(part?.default),
    () => show(),
  );
else show();
