import type { Page } from 'playwright-core';

import { PRODUCER, submitSignIn } from '#tests/support/browser/user.ts';

import type { Screen } from './screen.ts';

const SIGN_IN = /\/callback\/credentials/;

const password = (page: Page) => page.getByLabel('Password', { exact: true });

/** Pages that need no account. */
export const SIGNED_OUT: readonly Screen[] = [
  {
    name: 'sign-in',
    by: 'anybody',
    show: async ({ user }) => {
      await user.visit('/login');
      await user.page().getByRole('button', { name: 'Sign In' }).waitFor();
    },
  },
  {
    name: 'sign-in-complaints',
    by: 'anybody',
    show: async ({ user }) => {
      await user.visit('/login');
      await user.page().getByRole('textbox', { name: 'Email' }).fill('nobody');
      await password(user.page()).fill('1');
      await password(user.page()).blur();
      await user.page().getByText('Must be at least 5 characters').waitFor();
    },
  },
  {
    name: 'sign-in-required',
    by: 'anybody',
    show: async ({ user }) => {
      await user.visit('/chat/c_001/team');
      await user.page().getByText('Sign in to continue').waitFor();
    },
  },
  {
    name: 'sign-in-refused',
    by: 'anybody',
    show: async ({ user }) => {
      await user.visit('/login');
      await submitSignIn(user.page(), { ...PRODUCER, password: 'not this one' });
      await user.page().getByRole('alert').waitFor();
    },
  },
  {
    name: 'sign-in-loading',
    by: 'anybody',
    show: async ({ user, backend }) => {
      backend.proxy.break(SIGN_IN, { kind: 'mute' });
      await user.visit('/login');
      await submitSignIn(user.page(), { ...PRODUCER, password: 'not this one' });
      await user.page().locator('button[type="submit"][aria-disabled]').waitFor();
    },
  },
  {
    name: 'register',
    by: 'anybody',
    show: async ({ user }) => {
      await user.visit('/register');
      await user.page().getByRole('heading', { level: 1 }).waitFor();
    },
  },
];
