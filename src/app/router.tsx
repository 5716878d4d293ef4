import { BrowserRouter, Route, Routes } from 'react-router';

import { ROUTES } from '#domain/routes.ts';
import { RequireSession } from '#src/auth/require-session.tsx';

import { ErrorBoundary } from './error-boundary.tsx';
import { loadApart } from '#src/feedback/load-apart.tsx';

const AuthPages = loadApart(() => import('./auth-pages.tsx'));
const DeskPages = loadApart(() => import('./desk-pages.tsx'));

/**
 * Every address of spec §2. The signed-out and the signed-in half load separately. Without
 * transitions, address and screen change together: what is typed at once reaches its room.
 */
export const Router = () => (
  <BrowserRouter useTransitions={false}>
    <ErrorBoundary>
      <Routes>
        <Route path={ROUTES.login} element={<AuthPages page="login" />} />
        <Route path={ROUTES.register} element={<AuthPages page="register" />} />
        <Route element={<RequireSession />}>
          <Route path="*" element={<DeskPages />} />
        </Route>
      </Routes>
    </ErrorBoundary>
  </BrowserRouter>
);
