import { useState } from 'react';
import { Loader } from '@mantine/core';
import { Navigate, Outlet, useLocation } from 'react-router';

import { ROUTES } from '#domain/routes.ts';
import { useLogout, useSession } from '#src/actors/actors.ts';
import { Delayed } from '#src/ui/delayed.tsx';

import classes from './require-session.module.css';

/** True from an explicit sign-out on, until it fails. */
const useLeaving = (): boolean => {
  const { state } = useLogout();
  const [leaving, setLeaving] = useState(false);
  if (state === 'leaving' && !leaving) setLeaving(true);
  if (state === 'failed' && leaving) setLeaving(false);
  return leaving;
};

/**
 * Shows its children to signed-in staff. Others are redirected to sign-in with error
 * SessionRequired and the current address as callbackUrl (spec §2), or without both after an
 * explicit sign-out.
 */
export const RequireSession = () => {
  const session = useSession();
  const leaving = useLeaving();
  const location = useLocation();
  switch (session.status) {
    case 'loading':
      return (
        <main id="main" className={classes['wait']} aria-busy>
          <Delayed>
            <Loader role="status" aria-label="Loading" />
          </Delayed>
        </main>
      );
    case 'authenticated':
      return <Outlet />;
    case 'unauthenticated': {
      if (leaving) return <Navigate to={ROUTES.login} replace />;
      if (session.left) return <Navigate to={ROUTES.login} replace />;
      const address = window.location.origin + location.pathname + location.search + location.hash;
      const query = new URLSearchParams({ error: 'SessionRequired', callbackUrl: address });
      return <Navigate to={`${ROUTES.login}?${query.toString()}`} replace />;
    }
    default:
      return session.status satisfies never;
  }
};
