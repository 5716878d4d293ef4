import { ROUTES } from '#domain/routes.ts';
import { usePageTitle } from '#src/ui/page-title.ts';
import { PlainButtonLink } from '#src/ui/plain-button.tsx';

import { AuthLayout } from './auth-layout.tsx';
import classes from './auth-layout.module.css';

/** Registration page: explains who creates staff accounts. */
export const RegisterPage = () => {
  usePageTitle('Register');
  return (
    <AuthLayout page="register">
      <h1 className={classes['title']}>Get an account</h1>
      <p className={classes['lead']}>
        Ask your administrator for an account, then sign in with your email and password.
      </p>
      <PlainButtonLink to={ROUTES.login + location.search} text="Sign in" />
    </AuthLayout>
  );
};
