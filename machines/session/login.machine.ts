import { assertEvent, assign, setup, type SnapshotFrom } from 'xstate';

import type { AppError } from '#domain/errors.ts';
import type { LoginFields } from '#domain/schemas/forms.ts';
import type { Ports } from '#domain/ports/ports.ts';

import { missingTask, fromTask } from '../kit/task.ts';
import { REQUEST_LIMIT_MS } from '../kit/limits.ts';

export interface Credentials extends LoginFields {
  readonly callbackUrl: string;
}

export type LoginSignal =
  | ({ readonly type: 'login.submitted' } & Credentials)
  | { readonly type: 'login.accepted'; readonly url: string }
  | { readonly type: 'login.refused'; readonly error: AppError }
  /** The server, asked after the sign-in, knows no session. */
  | { readonly type: 'session.missing' };

export interface LoginContext {
  readonly error: AppError | undefined;
  /** Where to go after success, of this origin. */
  readonly url: string | undefined;
  /** The callback url of the last try. */
  readonly callbackUrl: string | undefined;
}

/** The sign-in form (spec §4). The password passes through and is kept nowhere. */
export const loginMachine = setup({
  types: { context: {} as LoginContext, events: {} as LoginSignal },
  actors: { signIn: missingTask<Credentials>('signIn') },
  actions: {
    keepCallbackUrl: assign(({ event }) => {
      assertEvent(event, 'login.submitted');
      return { callbackUrl: event.callbackUrl };
    }),
    keepError: assign(({ event }) => {
      assertEvent(event, 'login.refused');
      return { error: event.error };
    }),
    keepLoss: assign({ error: { kind: 'session-lost' } }),
    keepUrl: assign(({ event }) => {
      assertEvent(event, 'login.accepted');
      return { error: undefined, url: event.url };
    }),
  },
}).createMachine({
  id: 'login',
  context: { error: undefined, url: undefined, callbackUrl: undefined },
  initial: 'idle',
  states: {
    idle: { on: { 'login.submitted': { target: 'loading', actions: 'keepCallbackUrl' } } },
    loading: {
      invoke: {
        src: 'signIn',
        input: ({ event }) => {
          assertEvent(event, 'login.submitted');
          return event;
        },
      },
      on: {
        'login.accepted': { target: 'done', actions: 'keepUrl' },
        'login.refused': { target: 'error', actions: 'keepError' },
      },
    },
    error: { on: { 'login.submitted': { target: 'loading', actions: 'keepCallbackUrl' } } },
    done: {
      on: {
        'login.submitted': { target: 'loading', actions: 'keepCallbackUrl' },
        'session.missing': { target: 'error', actions: 'keepLoss' },
      },
    },
  },
});

type LoginSnapshot = SnapshotFrom<typeof loginMachine>;

/** What the sign-in form sees; an old error stays out of sight while loading. */
export const selectLogin = (snapshot: LoginSnapshot) => ({
  state: snapshot.value,
  error: snapshot.matches('error') ? snapshot.context.error : undefined,
  url: snapshot.context.url,
  callbackUrl: snapshot.context.callbackUrl,
});

/**
 * The login machine with its real actors. Success is announced to the other tabs; this
 * tab's session has to be told `session.changed` by whoever runs the machine.
 */
export const provideLogin = ({
  sessionApi,
  device,
  clientLog,
}: Pick<Ports, 'sessionApi' | 'device' | 'clientLog'>) =>
  loginMachine.provide({
    actors: {
      signIn: fromTask(
        { clientLog },
        {
          name: 'signIn',
          limitMs: REQUEST_LIMIT_MS,
          toFailure: (error): LoginSignal => ({ type: 'login.refused', error }),
        },
        async (credentials: Credentials, cancel): Promise<LoginSignal> => {
          const { email, password, callbackUrl } = credentials;
          const answer = await sessionApi.signIn({ email, password, callbackUrl }, cancel);
          if (!answer.ok) return { type: 'login.refused', error: answer.error };
          // The server ended whatever session this browser had before.
          await device.settleSignOut();
          sessionApi.announceChange();
          return { type: 'login.accepted', url: answer.value };
        },
      ),
    },
  });
