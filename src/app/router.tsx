import { BrowserRouter, Route, Routes, type RoutesProps, useLocation } from 'react-router';

import { ROUTES } from '#domain/routes.ts';
import { RequireSession } from '#src/auth/require-session.tsx';

import { ErrorBoundary } from './error-boundary.tsx';
import { lazyComponent } from '#src/ui/lazy-component.tsx';

const AuthPages = lazyComponent(() => import('./auth-pages.tsx'));
const DeskPages = lazyComponent(() => import('./desk-pages.tsx'));

/** The router does not match line breaks: an address with one would show nothing at all. */
const BREAKS = /%(?:0[AD]|E2%80%A[89])/gi;

const usePlainAddress = (): Pick<RoutesProps, 'location'> => {
  const location = useLocation();
  const pathname = location.pathname.replaceAll(BREAKS, '%20');
  return pathname === location.pathname ? {} : { location: { ...location, pathname } };
};

const Screens = () => (
  <Routes {...usePlainAddress()}>
    <Route path={ROUTES.login} element={<AuthPages page="login" />} />
    <Route path={ROUTES.register} element={<AuthPages page="register" />} />
    <Route element={<RequireSession />}>
      <Route path="*" element={<DeskPages />} />
    </Route>
  </Routes>
);

/**
 * All addresses of spec §2. The signed-out and the signed-in pages load separately. Without
 * transitions, address and screen change together: text typed right after a change goes to the new
 * room.
 */
export const Router = () => (
  <BrowserRouter useTransitions={false}>
    <ErrorBoundary>
      <Screens />
    </ErrorBoundary>
  </BrowserRouter>
);
