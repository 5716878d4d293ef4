import { Navigate, useSearchParams } from 'react-router';

import { ROUTES } from '#domain/routes.ts';
import { toCallbackPath } from '#domain/rules/callback-url.ts';
import { useLogin, useSession } from '#src/app/actors.ts';
import { usePageTitle } from '#src/feedback/page-title.ts';

import { AuthLayout } from './auth-layout.tsx';
import classes from './auth-layout.module.css';
import { LoginForm } from './login-form.tsx';

/** Sign-in page (spec §2): afterwards on to the returned url, or / if none. */
export const LoginPage = () => {
  const [query] = useSearchParams();
  const session = useSession();
  const login = useLogin();
  usePageTitle('Sign in');

  const wanted = toCallbackPath(query.get('callbackUrl'), window.location.origin);
  if (session.status === 'authenticated') {
    const target =
      login.state === 'done' ? toCallbackPath(login.url, window.location.origin) : wanted;
    return <Navigate to={target} replace />;
  }
  return (
    <AuthLayout page="login">
      <h1 className={classes['title']}>Sign in</h1>
      <p className={classes['lead']}>
        {query.get('error') === 'SessionRequired' && wanted !== ROUTES.home
          ? 'Please sign in to continue where you were.'
          : 'Your clients are one conversation away.'}
      </p>
      <LoginForm callbackUrl={window.location.origin + wanted} />
    </AuthLayout>
  );
};
