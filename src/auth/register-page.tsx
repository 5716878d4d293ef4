import { Button } from '@mantine/core';

import { ROUTES } from '#domain/routes.ts';
import { Link } from '#src/ui/address.tsx';
import { usePageTitle } from '#src/ui/page-title.ts';

import { AuthLayout } from './auth-layout.tsx';
import classes from './auth-layout.module.css';

/** Registration page: explains who creates staff accounts. */
export const RegisterPage = () => {
  usePageTitle('Register');
  return (
    <AuthLayout page="register">
      <h1 className={classes['title']}>Get an account</h1>
      <p className={classes['lead']}>
        Your producer creates accounts. Ask for one, then sign in with your email and password.
      </p>
      <Button component={Link} to={ROUTES.login} size="md" fullWidth>
        Sign in
      </Button>
    </AuthLayout>
  );
};
