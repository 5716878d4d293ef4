import { type ReactNode, useState } from 'react';

import { ROUTES } from '#domain/routes.ts';
import { useLogout, useSession } from '#src/actors/actors.ts';
import { Redirect } from '#src/ui/address.tsx';
import { Loading } from '#src/ui/waiting.tsx';

/** True once an explicit sign-out has begun, unless it fails. */
const useLeaving = (): boolean => {
  const { state } = useLogout();
  const [leaving, setLeaving] = useState(false);
  if (state === 'leaving' && !leaving) setLeaving(true);
  if (state === 'failed' && leaving) setLeaving(false);
  return leaving;
};

/** The address of the sign-in page that returns to the current one (spec §2). */
export const toSignIn = (): string => {
  const query = new URLSearchParams({ error: 'SessionRequired', callbackUrl: location.href });
  return `${ROUTES.login}?${query.toString()}`;
};

/**
 * Shows its children to signed-in staff. Others are redirected to sign-in with error
 * SessionRequired and the current address as callbackUrl (spec §2), or without both after an
 * explicit sign-out.
 */
export const RequireSession = ({ children }: { readonly children: ReactNode }) => {
  const session = useSession();
  const leaving = useLeaving();
  switch (session.status) {
    case 'loading':
      return (
        <main id="main" style={{ height: '100dvh' }}>
          <Loading size={36} />
        </main>
      );
    case 'authenticated':
      return children;
    case 'unauthenticated':
      return <Redirect to={leaving || session.signedOut ? ROUTES.login : toSignIn()} />;
    default:
      return session satisfies never;
  }
};
