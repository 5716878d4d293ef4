import { shallowEqual, useSelector } from '@xstate/react';
import { type ActorRefFrom, createActor } from 'xstate';

import type { LoginFields } from '#domain/schemas/forms.ts';
import { SESSION_ID } from '#machines/kit/revalidate-session.ts';
import { createLoginMachine, selectLogin } from '#machines/session/login.machine.ts';
import { type createSessionMachine, selectSession } from '#machines/session/session.machine.ts';
import type { PageRuntime } from '#src/boot/page-runtime.ts';

import { useRuntime } from './runtime-context.ts';

type LoginActor = ActorRefFrom<ReturnType<typeof createLoginMachine>>;
type SessionActor = ActorRefFrom<ReturnType<typeof createSessionMachine>>;

/**
 * Requests the session once a sign-in was accepted. If there is none, the browser stored no
 * cookie, or another instance cannot decrypt it; the form then reports that.
 */
const followSignIn = (login: LoginActor, session: SessionActor | undefined): void => {
  let isAwaited = false;
  login.subscribe((snapshot) => {
    if (!snapshot.matches('done')) return;
    isAwaited = true;
    session?.send({ type: 'session.changed' });
  });
  session?.subscribe((snapshot) => {
    if (!isAwaited || !snapshot.matches({ revalidation: 'idle' })) return;
    isAwaited = false;
    if (selectSession(snapshot).status === 'unauthenticated')
      login.send({ type: 'session.missing' });
  });
};

const logins = new WeakMap<PageRuntime, LoginActor>();

/** One actor for the whole page, which also remembers the last attempt of an earlier visit. */
const openLogin = (runtime: PageRuntime): LoginActor => {
  const opened = logins.get(runtime);
  if (opened !== undefined) return opened;
  const login = createActor(createLoginMachine(runtime.ports));
  logins.set(runtime, login);
  followSignIn(login, runtime.app.system.get(SESSION_ID));
  return login.start();
};

/** The sign-in of this page; it loads with the sign-in form. */
export const useLogin = () => {
  const login = openLogin(useRuntime());
  const view = useSelector(login, selectLogin, shallowEqual);
  return {
    ...view,
    submit: (form: LoginFields, callbackUrl: string) =>
      login.send({ type: 'login.submitted', ...form, callbackUrl }),
  };
};
