import type { Handler } from 'hono';

import type { AppError } from '#domain/errors.ts';
import { fail, type Result } from '#domain/result.ts';

import { isGone, type ServerContext, type ServerEnv } from '../http/answers.ts';
import { findClientAddress, toSiteKey } from '../http/client-address.ts';
import type { SignedIn } from '../kernel/contracts.ts';
import { toFailureFields } from '../kernel/upstream.ts';
import type { Admission } from '../limiting/attempt-limiter.ts';
import { toRetryAfter } from '../limiting/limiters.ts';
import { createOutageLog, type OutageLog } from '../observe/outages.ts';
import type { AuthDeps } from './auth-deps.ts';
import { readTrustedForm, type TrustedForm } from './trusted-form.ts';
import {
  answerAuthError,
  answerMissingProvider,
  answerUnknownProvider,
  answerUrl,
} from './url-answer.ts';

/** The only provider. */
export const PROVIDER = 'credentials';

/** A check that threw must still settle its attempt, or it would block later ones. */
const toUnusable = (thrown: unknown): Result<SignedIn | undefined, AppError> =>
  fail({ kind: 'malformed', detail: String(thrown) });

/** Attempts are counted per account; only the service that checks it knows whether case matters. */
const readCredentials = (form: TrustedForm) => {
  const email = (form.fields.get('email') ?? '').trim();
  return { email, account: email.toLowerCase(), password: form.fields.get('password') ?? '' };
};

type Admitted = Extract<Admission, { readonly ok: true }>;

/** Logged once per outage, because anyone can repeat sign-ins at will. */
interface Outages {
  readonly limiting: OutageLog;
  readonly listing: OutageLog;
}

const createOutages = ({ log }: AuthDeps): Outages => ({
  limiting: createOutageLog(
    log,
    'sign-ins cannot be limited, so nobody can sign in',
    'sign-ins can be limited again',
  ),
  listing: createOutageLog(
    log,
    'sessions cannot be listed, so nobody can sign in',
    'sessions can be listed again',
  ),
});

/** Whether this attempt may proceed now; a response if it may not. */
const admit = async (
  deps: AuthDeps,
  outage: OutageLog,
  c: ServerContext,
  { base, callbackUrl }: TrustedForm,
  account: string,
): Promise<Admitted | Response> => {
  const address = findClientAddress(c.env.incoming, deps.origins.isSecure);
  const device = deps.device.find(c.req.raw, account);
  try {
    const admission = await deps.limitSignIns({
      account,
      address,
      site: toSiteKey(address),
      device,
    });
    outage.worked();
    if (admission.ok) return admission;
    c.header('retry-after', toRetryAfter(admission));
    return answerAuthError(c, base, 'TooManyAttempts', callbackUrl);
  } catch (error) {
    outage.failed({ err: error });
    return answerAuthError(c, base, 'SignInUnavailable', callbackUrl);
  }
};

/**
 * False if the session is too long for a cookie, undefined if it could not be listed: a session
 * that cannot be ended must not begin.
 */
const begin = async (
  { sessions }: AuthDeps,
  outage: OutageLog,
  c: ServerContext,
  signedIn: SignedIn,
): Promise<boolean | undefined> => {
  try {
    const begun = await sessions.begin(c, signedIn);
    outage.worked();
    return begun !== undefined;
  } catch (error) {
    outage.failed({ err: error });
    return undefined;
  }
};

/**
 * `POST callback/credentials` with `email` and `password`: 200 `{url}` and a session under a
 * new id; 401 `error=CredentialsSignin`, the same for wrong passwords and unknown addresses;
 * 429 with Retry-After after too many failures; 502 if the account could not be checked; 503 if
 * attempts cannot be counted or the session cannot be listed.
 */
const createSignIn =
  (deps: AuthDeps, outages: Outages) =>
  async (c: ServerContext, form: TrustedForm): Promise<Response> => {
    const { base, callbackUrl } = form;
    const { email, account, password } = readCredentials(form);
    const attempt = await admit(deps, outages.limiting, c, form, account);
    if (attempt instanceof Response) return attempt;
    const checked = await deps.check(email, password).catch(toUnusable);
    if (!checked.ok) {
      await attempt.settle('passed');
      deps.log.warn(toFailureFields(checked.error), 'sign-in could not be checked');
      return answerAuthError(c, base, 'UnknownError', callbackUrl);
    }
    if (checked.value === undefined) {
      await attempt.settle('failed');
      return answerAuthError(c, base, 'CredentialsSignin', callbackUrl);
    }
    await attempt.settle('cleared');
    const { uid } = checked.value.user;
    c.set('uid', uid);
    // A session that no browser receives would be listed, and replace one that is in use.
    if (isGone(c)) return answerAuthError(c, base, 'UnknownError', callbackUrl);
    const begun = await begin(deps, outages.listing, c, checked.value);
    if (begun === undefined) return answerAuthError(c, base, 'SignInUnavailable', callbackUrl);
    if (!begun) {
      deps.log.error(
        { uid },
        'sign-in failed: the token of the product API is too long for a cookie',
      );
      return answerAuthError(c, base, 'UnknownError', callbackUrl);
    }
    deps.device.remember(c, account);
    return answerUrl(c, callbackUrl);
  };

/** `POST callback/{provider}`. */
export const createCallbackHandler = (deps: AuthDeps): Handler<ServerEnv> => {
  const signIn = createSignIn(deps, createOutages(deps));
  return async (c) => {
    const form = await readTrustedForm(c, deps);
    if (form instanceof Response) return form;
    const provider = c.req.param('provider');
    if (!provider) return answerMissingProvider(c, form.base);
    if (provider !== PROVIDER) return answerUnknownProvider(c, form.base, form.callbackUrl);
    return signIn(c, form);
  };
};

/**
 * `POST signin/{provider}`: starts a sign-in at another site, which none of our providers uses;
 * for the credentials provider the answer is the sign-in page.
 */
export const createSignInHandler =
  (deps: AuthDeps): Handler<ServerEnv> =>
  async (c) => {
    const form = await readTrustedForm(c, deps);
    if (form instanceof Response) return form;
    const provider = c.req.param('provider');
    if (!provider) return answerMissingProvider(c, form.base);
    if (provider !== PROVIDER) return answerUnknownProvider(c, form.base, form.callbackUrl);
    const url = new URL('/api/auth/signin', form.base);
    url.searchParams.set('callbackUrl', form.callbackUrl);
    return c.json({ url: url.href });
  };
