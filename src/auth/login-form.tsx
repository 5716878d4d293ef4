import { useEffect } from 'react';
import { zodResolver } from '@hookform/resolvers/zod';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from 'react-hook-form';

import { toBannerText } from '#domain/errors.ts';
import { type LoginForm as LoginFields, loginFormSchema } from '#domain/schemas/forms.ts';
import { useLogin, usePublicConfig } from '#src/app/actors.ts';
import { Banner } from '#src/feedback/banner.tsx';

import { DEMO_ACCOUNT, EMPTY_ACCOUNT } from './demo-account.ts';
import classes from './auth-layout.module.css';

/** The fields, validated on touch (spec §5); prefilled with the demo producer in demo only. */
const useLoginFields = () => {
  const demo = usePublicConfig()?.demo === true;
  const form = useForm<LoginFields>({
    mode: 'onTouched',
    resolver: zodResolver(loginFormSchema),
    defaultValues: demo ? DEMO_ACCOUNT : EMPTY_ACCOUNT,
  });
  const { reset, formState } = form;
  const { isDirty } = formState;
  useEffect(() => {
    if (demo && !isDirty) reset(DEMO_ACCOUNT);
  }, [demo, isDirty, reset]);
  return form;
};

/** Sign-in form; `callbackUrl` is where the staff member wanted to go. */
export const LoginForm = ({ callbackUrl }: { readonly callbackUrl: string }) => {
  const login = useLogin();
  const { register, handleSubmit, formState } = useLoginFields();
  const { errors } = formState;
  const submit = handleSubmit((fields) => login.submit(fields, callbackUrl));
  return (
    <form className={classes['form']} noValidate onSubmit={(event) => void submit(event)}>
      {login.state === 'error' && login.error !== undefined && (
        <Banner text={toBannerText(login.error)} />
      )}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        inputMode="email"
        size="md"
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        size="md"
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
        error={errors.password?.message}
        {...register('password')}
      />
      <Button
        type="submit"
        size="md"
        fullWidth
        className={classes['submit'] ?? ''}
        loading={login.state === 'loading'}
      >
        Sign In
      </Button>
    </form>
  );
};
