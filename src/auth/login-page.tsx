import { ROUTES } from '#domain/routes.ts';
import { toCallbackPath } from '#domain/rules/callback-url.ts';
import { useSession } from '#src/actors/actors.ts';
import { useLogin } from '#src/actors/login.ts';
import { Redirect, useSearch } from '#src/ui/address.tsx';
import { usePageTitle } from '#src/ui/page-title.ts';

import { AuthLayout } from './auth-layout.tsx';
import classes from './auth-layout.module.css';
import { LoginForm } from './login-form.tsx';

/** Sign-in page (spec §2): continues to the returned url, or / if there is none. */
export const LoginPage = () => {
  const query = new URLSearchParams(useSearch());
  const session = useSession();
  const login = useLogin();
  usePageTitle('Sign in');

  const { origin } = location;
  const wanted = toCallbackPath(query.get('callbackUrl'), origin);
  const callbackUrl = origin + wanted;
  if (session.status === 'authenticated') {
    // A url returned to an earlier visit of this page is not the target of this one.
    const isReturned = login.state === 'done' && login.callbackUrl === callbackUrl;
    return <Redirect to={isReturned ? toCallbackPath(login.url, origin) : wanted} />;
  }
  return (
    <AuthLayout page="login">
      <h1 className={classes['title']}>Sign in</h1>
      <p className={classes['lead']}>
        {query.get('error') === 'SessionRequired' && wanted !== ROUTES.home
          ? 'Sign in to continue to your page.'
          : 'Sign in to talk with your clients.'}
      </p>
      <LoginForm callbackUrl={callbackUrl} />
    </AuthLayout>
  );
};
