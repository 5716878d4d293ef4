import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type Result } from '#domain/result.ts';
import type { LoginFields } from '#domain/schemas/forms.ts';
import { assertEvent, assign, fromPromise, setup, type SnapshotFrom } from 'xstate';

import { findFailure, hasFailed, reportFailure, toValue } from '../kit/answer.ts';
import { REQUEST_LIMIT_MS } from '../kit/limits.ts';

export interface Credentials extends LoginFields {
  readonly callbackUrl: string;
}

export type LoginSignal =
  | ({ readonly type: 'login.submitted' } & Credentials)
  /** After the sign-in the server returned no session. */
  | { readonly type: 'session.missing' };

export interface LoginContext {
  readonly error: AppError | undefined;
  /** Where to go after success, of this origin. */
  readonly url: string | undefined;
  /** The callback url of the last attempt. */
  readonly callbackUrl: string | undefined;
}

type LoginPorts = Pick<Ports, 'sessionApi' | 'device' | 'clientLog'>;

const setupLogin = ({ sessionApi, device, clientLog }: LoginPorts) =>
  setup({
    types: { context: {} as LoginContext, events: {} as LoginSignal },
    actors: {
      signIn: fromPromise<Result<string, AppError>, Credentials>(async ({ input, signal }) => {
        const { email, password, callbackUrl } = input;
        const answer = await sessionApi.signIn({ email, password, callbackUrl }, signal);
        if (!answer.ok) return answer;
        // The server ended any earlier session of this browser.
        await device.confirmSignOut();
        sessionApi.announceChange();
        return answer;
      }),
    },
    actions: {
      keepCallbackUrl: assign((_, { callbackUrl }: Credentials) => ({ callbackUrl })),
      keepError: assign(({ event }) => ({ error: findFailure(event) })),
      recordSessionLost: assign({ error: { kind: 'session-lost' } }),
      keepUrl: assign((_, url: string) => ({ error: undefined, url })),
      reportFailure: reportFailure({ clientLog }),
    },
    guards: { hasFailed },
    delays: { requestLimit: REQUEST_LIMIT_MS },
  });

/**
 * The sign-in form (spec §4). The password is passed on and never stored. A success is announced
 * to the other tabs; the owner of this machine has to send `session.changed` to this tab's
 * session.
 */
export const createLoginMachine = (ports: LoginPorts) =>
  setupLogin(ports).createMachine({
    id: 'login',
    context: { error: undefined, url: undefined, callbackUrl: undefined },
    initial: 'idle',
    on: {
      'login.submitted': {
        target: '.loading',
        actions: { type: 'keepCallbackUrl', params: ({ event }) => event },
      },
    },
    states: {
      idle: {},
      loading: {
        invoke: {
          src: 'signIn',
          input: ({ event }) => {
            assertEvent(event, 'login.submitted');
            return event;
          },
          onDone: [
            { guard: 'hasFailed', target: 'error', actions: 'keepError' },
            { target: 'done', actions: { type: 'keepUrl', params: toValue } },
          ],
          onError: { target: 'error', actions: ['reportFailure', 'keepError'] },
        },
        after: { requestLimit: { target: 'error', actions: ['reportFailure', 'keepError'] } },
        on: { 'login.submitted': {} },
      },
      error: {},
      done: { on: { 'session.missing': { target: 'error', actions: 'recordSessionLost' } } },
    },
  });

type LoginSnapshot = SnapshotFrom<ReturnType<typeof createLoginMachine>>;

/** The state for the sign-in form; an old error is not shown while loading. */
export const selectLogin = (snapshot: LoginSnapshot) => ({
  state: snapshot.value,
  error: snapshot.matches('error') ? snapshot.context.error : undefined,
  url: snapshot.context.url,
  callbackUrl: snapshot.context.callbackUrl,
});
