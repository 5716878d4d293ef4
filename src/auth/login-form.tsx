import { useEffect } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';

import { toBannerText } from '#domain/errors.ts';
import { type LoginFields, loginFormSchema } from '#domain/schemas/forms.ts';
import { useLogin, usePublicConfig } from '#src/actors/actors.ts';
import { Banner } from '#src/ui/banner.tsx';

import classes from './auth-layout.module.css';

/** The demo producer, prefilled in demo and development only. */
const DEMO_ACCOUNT: LoginFields = { email: 'producer@example.com', password: 'producer' };

const EMPTY_ACCOUNT: LoginFields = { email: '', password: '' };

/** The fields, validated on touch (spec §5); prefilled with the demo producer in demo only. */
const useLoginFields = () => {
  const demo = usePublicConfig()?.demo === true;
  const form = useForm<LoginFields>({
    mode: 'onTouched',
    resolver: zodResolver(loginFormSchema),
    defaultValues: demo ? DEMO_ACCOUNT : EMPTY_ACCOUNT,
  });
  const { reset, formState } = form;
  const untouched = !formState.isDirty && Object.keys(formState.touchedFields).length === 0;
  useEffect(() => {
    // The settings may arrive late: they must not overwrite a field in use.
    const inUse = document.activeElement instanceof HTMLInputElement;
    if (demo && untouched && !inUse) reset(DEMO_ACCOUNT);
  }, [demo, untouched, reset]);
  return form;
};

const REVEAL_BUTTON = { 'aria-label': 'Show password' };

/** Sign-in form; `callbackUrl` is where the user wanted to go. */
export const LoginForm = ({ callbackUrl }: { readonly callbackUrl: string }) => {
  const login = useLogin();
  const { register, handleSubmit, formState } = useLoginFields();
  const { errors, isSubmitSuccessful } = formState;
  const submit = handleSubmit((fields) => login.submit(fields, callbackUrl));
  // Signed in, and navigating to the requested page.
  const arriving = isSubmitSuccessful && login.state === 'done';
  return (
    <form className={classes['form']} noValidate onSubmit={(event) => void submit(event)}>
      {login.error !== undefined && <Banner text={toBannerText(login.error)} />}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        size="md"
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        size="md"
        visibilityToggleFocusable
        visibilityToggleButtonProps={REVEAL_BUTTON}
        error={errors.password?.message}
        // The library sets this for its text fields only.
        aria-invalid={errors.password !== undefined}
        {...register('password')}
      />
      <Button
        type="submit"
        size="md"
        fullWidth
        className={classes['submit'] ?? ''}
        loading={login.state === 'loading' || arriving}
      >
        Sign In
      </Button>
    </form>
  );
};
