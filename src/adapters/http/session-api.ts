import type { OwnKeys } from '#domain/ports/device.ts';
import type { AppError } from '#domain/errors.ts';
import type { SessionApi } from '#domain/ports/network.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { toCallbackPath } from '#domain/rules/callback-url.ts';
import { type PersonalKeys, personalKeysSchema } from '#domain/schemas/personal-keys.ts';
import {
  csrfAnswerSchema,
  type Session,
  sessionAnswerSchema,
  sessionSchema,
  urlAnswerSchema,
} from '#domain/schemas/session.ts';

import type { Sealing } from '#domain/ports/sealing.ts';

import { requestJson, type Web } from './request-json.ts';
import { errorAnswerSchema } from './status-error.ts';

const PATH = '/api/auth';
/** The channel on which the tabs of one browser announce sign-ins and sign-outs. */
const CHANNEL = 'replay-desk-session';

/** Wraps the answer, because "no session" is an answer too. */
const parseSession = (value: unknown): { readonly session: Session | undefined } | undefined =>
  sessionAnswerSchema.safeParse(value).success
    ? { session: sessionSchema.safeParse(value).data }
    : undefined;

const getSession = async (
  web: Web,
  cancel: AbortSignal,
): Promise<Result<Session | undefined, AppError>> => {
  const answer = await requestJson(web, { path: `${PATH}/session`, parse: parseSession, cancel });
  if (answer.ok) return ok(answer.value.session);
  return answer.error.kind === 'unauthenticated' ? ok(undefined) : answer;
};

/** The url of an answer, and the server's error text after a refusal. */
const parseUrlAnswer = (
  value: unknown,
  origin: string,
): { readonly url: URL; readonly serverText: { readonly text?: string } } | undefined => {
  const answer = urlAnswerSchema.safeParse(value);
  if (!answer.success || !URL.canParse(answer.data.url, origin)) return undefined;
  const url = new URL(answer.data.url, origin);
  const refusal = errorAnswerSchema.safeParse(value);
  return { url, serverText: refusal.success ? { text: refusal.data.error } : {} };
};

/**
 * Posts a form with a fresh CSRF token (spec §7). Refusals (400, 401) return a url with the
 * error's name in its query.
 */
const postForm = async (
  web: Web,
  action: string,
  fields: Readonly<Record<string, string>>,
  cancel: AbortSignal,
  attempts = 1,
): Promise<Result<URL, AppError>> => {
  const csrf = await requestJson(web, {
    path: `${PATH}/csrf`,
    parse: (value) => csrfAnswerSchema.safeParse(value).data?.csrfToken,
    cancel,
  });
  if (!csrf.ok) return csrf;
  const answer = await requestJson(web, {
    path: `${PATH}/${action}`,
    body: new URLSearchParams({ ...fields, csrfToken: csrf.value, json: 'true' }),
    parse: (value) => parseUrlAnswer(value, web.origin),
    answers: [400, 401],
    cancel,
  });
  if (!answer.ok) return answer;
  const { url, serverText } = answer.value;
  const refusal = url.searchParams.get('error');
  if (refusal === null) return ok(url);
  if (refusal === 'MissingCSRF' && attempts > 1) {
    return postForm(web, action, fields, cancel, attempts - 1);
  }
  if (refusal === 'CredentialsSignin') return fail({ kind: 'credentials', ...serverText });
  return fail({ kind: 'rejected', status: 400, text: refusal, ...serverText });
};

const importKeys = async (
  { keys }: PersonalKeys,
  sealing: Sealing,
): Promise<Result<OwnKeys, AppError>> => {
  try {
    return ok({
      keys: await Promise.all(keys.map(({ key }) => sealing.importKey(key))),
      storeIds: keys.map(({ store }) => store),
    });
  } catch (error) {
    return fail({ kind: 'malformed', detail: `keys: ${String(error)}` });
  }
};

/** All tabs share the session cookie: after a sign-in elsewhere it may belong to another user. */
const getKeys = async (
  web: Web,
  sealing: Sealing,
  uid: string,
  cancel: AbortSignal,
): Promise<Result<OwnKeys, AppError>> => {
  const answer = await requestJson(web, {
    path: `${PATH}/keys`,
    parse: (value) => personalKeysSchema.safeParse(value).data,
    cancel,
  });
  if (!answer.ok) return answer;
  if (answer.value.uid !== uid) return fail({ kind: 'unauthenticated' });
  return importKeys(answer.value, sealing);
};

/** The session endpoints, and the channel between the tabs of this browser. */
export const createSessionApi = (web: Web, sealing: Sealing): SessionApi => {
  const channel = new BroadcastChannel(CHANNEL);
  let leaving: Promise<Result<URL, AppError>> | undefined;
  return {
    getSession: (cancel) => getSession(web, cancel),
    async signIn({ email, password, callbackUrl }, cancel) {
      const fields = { email, password, callbackUrl };
      // The late answer of a sign-out would remove the new cookie.
      await leaving;
      // Another tab's sign-out may end the session of the first token. A sign-out itself has one
      // attempt: a second token could be that of a newer session.
      const answer = await postForm(web, 'callback/credentials', fields, cancel, 2);
      return answer.ok ? ok(toCallbackPath(answer.value.href, web.origin)) : answer;
    },
    async signOut(cancel) {
      leaving = postForm(web, 'signout', { callbackUrl: `${web.origin}/login` }, cancel);
      const answer = await leaving;
      return answer.ok ? ok(undefined) : answer;
    },
    getKeys: (uid, cancel) => getKeys(web, sealing, uid, cancel),
    announceChange: () => channel.postMessage('changed'),
    onChange(listener) {
      channel.addEventListener('message', listener);
      return () => channel.removeEventListener('message', listener);
    },
  };
};
