import { useEffect } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';

import { toBannerText } from '#domain/errors.ts';
import { type LoginFields, loginFormSchema } from '#domain/schemas/forms.ts';
import { usePublicConfig } from '#src/actors/actors.ts';
import { useLogin } from '#src/actors/login.ts';
import { Banner } from '#src/ui/banner.tsx';
import { useIsHydrated } from '#src/ui/fields/is-hydrated.ts';
import { PasswordField } from '#src/ui/fields/password-field.tsx';
import { TextField } from '#src/ui/fields/text-field.tsx';
import { PlainButton } from '#src/ui/plain-button.tsx';

import classes from './auth-layout.module.css';

/** The demo producer. */
const DEMO_ACCOUNT: LoginFields = { email: 'producer@example.com', password: 'producer' };

const EMPTY_ACCOUNT: LoginFields = { email: '', password: '' };

/** Validates the fields with their schema, which reports at most one error for each. */
const resolver: Resolver<LoginFields> = (fields) => {
  const { success, data, error } = loginFormSchema.safeParse(fields);
  if (success) return { values: data, errors: {} };
  const errors: FieldErrors<LoginFields> = {};
  for (const { path, code: type, message } of error.issues) {
    errors[path[0] as keyof LoginFields] = { type, message };
  }
  return { values: {}, errors };
};

/** The fields, validated on touch (spec §5); prefilled with the demo producer in demo only. */
const useLoginFields = () => {
  const demo = usePublicConfig()?.demo;
  const form = useForm<LoginFields>({
    mode: 'onTouched',
    resolver,
    defaultValues: demo ? DEMO_ACCOUNT : EMPTY_ACCOUNT,
  });
  const { reset, formState, getValues } = form;
  const untouched = !formState.isDirty && Object.keys(formState.touchedFields).length === 0;
  useEffect(() => {
    // The settings may arrive late: they must not overwrite input, also from before the hydration.
    // Going back, a browser fills in the email alone.
    const [email, password] = getValues(['email', 'password']);
    const isOurs = password === '' && (email === '' || email === DEMO_ACCOUNT.email);
    if (demo && untouched && isOurs) reset(DEMO_ACCOUNT);
  }, [demo, untouched, getValues, reset]);
  return form;
};

/** Sign-in form; `callbackUrl` is the page that the user requested. */
export const LoginForm = ({ callbackUrl }: { readonly callbackUrl: string }) => {
  const login = useLogin();
  const isHydrated = useIsHydrated();
  const { register, handleSubmit, setFocus, formState } = useLoginFields();
  const { errors, isSubmitSuccessful } = formState;
  const submit = handleSubmit((fields) => login.submit(fields, callbackUrl));
  const { state } = login;
  // The error of an earlier visit is not shown, nor after fields that were not sent.
  const error = isSubmitSuccessful ? login.error : undefined;
  useEffect(() => {
    if (error !== undefined) setFocus('password', { shouldSelect: true });
  }, [error, setFocus]);
  useEffect(() => {
    // On a touch device the keyboard would cover the page.
    const isFree = document.activeElement === document.body;
    if (isFree && matchMedia('(hover: hover)').matches) setFocus('email');
  }, [setFocus]);
  // Signed in, and navigating to the requested page.
  const arriving = isSubmitSuccessful && state === 'done';
  return (
    <form
      className={classes['form']}
      // Before the hydration, a submission by a script must not put the password into the address.
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      {error !== undefined && <Banner text={toBannerText(error)} />}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <PlainButton
        kind="large"
        text="Sign In"
        disabled={!isHydrated}
        loading={state === 'loading' || arriving}
      />
    </form>
  );
};
