import { Button } from '@mantine/core';
import { Link } from 'react-router';

import { ROUTES } from '#domain/routes.ts';
import { usePageTitle } from '#src/feedback/page-title.ts';

import { AuthLayout } from './auth-layout.tsx';
import classes from './auth-layout.module.css';

/** Registration page: staff accounts are made by the service, and it says so. */
export const RegisterPage = () => {
  usePageTitle('Register');
  return (
    <AuthLayout page="register">
      <h1 className={classes['title']}>Staff accounts are set up for you</h1>
      <p className={classes['lead']}>
        Registration is not open here yet. Ask the producer who runs your desk for an account; your
        email address and a first password are all you need to sign in.
      </p>
      <Button component={Link} to={ROUTES.login} size="md" fullWidth>
        Go to sign-in
      </Button>
    </AuthLayout>
  );
};
