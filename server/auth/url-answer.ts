import type { ContentfulStatusCode } from 'hono/utils/http-status';

import { ROUTES } from '#domain/routes.ts';

import type { ServerContext } from '../http/answers.ts';

const UNAVAILABLE = "Sign-in isn't available right now. Try again in a minute.";

/** Error names in the `error` query of returned urls, with their texts. */
const ERRORS = {
  CredentialsSignin: { status: 401, text: 'Wrong email or password.' },
  TooManyAttempts: {
    status: 429,
    text: 'Too many failed sign-ins. Wait a few minutes, then try again.',
  },
  MissingCSRF: { status: 400, text: 'This page is out of date. Reload it, then try again.' },
  SignInUnavailable: { status: 503, text: UNAVAILABLE },
  UnknownError: { status: 502, text: UNAVAILABLE },
} as const satisfies Readonly<
  Record<string, { readonly status: ContentfulStatusCode; readonly text: string }>
>;
export type AuthErrorName = keyof typeof ERRORS;

/** The session library's paths under the auth base (spec §2). */
export const AUTH_BASE = '/api/auth';

const toUrl = (base: string, path: string, query: Readonly<Record<string, string>>): string => {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
};

/**
 * `{url}` of a success. An `error` in its query would read as a refusal, with a text that the author
 * of the link chose.
 */
export const answerUrl = (c: ServerContext, callbackUrl: string): Response => {
  const url = new URL(callbackUrl);
  // Deleting an absent parameter would encode the query again.
  if (url.searchParams.has('error')) url.searchParams.delete('error');
  return c.json({ url: url.href });
};

/** `{error, url}`: the absolute url carries the error's name, as the session library reads it. */
export const answerAuthError = (
  c: ServerContext,
  base: string,
  name: AuthErrorName,
  callbackUrl: string,
  text: string = ERRORS[name].text,
): Response => {
  const { status } = ERRORS[name];
  return c.json(
    { error: text, url: toUrl(base, ROUTES.login, { error: name, callbackUrl }) },
    status,
  );
};

/** An unknown provider leads to the sign-in path with a callbackUrl (spec §2). */
export const answerUnknownProvider = (
  c: ServerContext,
  base: string,
  callbackUrl: string,
): Response =>
  c.json(
    { error: 'Unknown provider.', url: toUrl(base, `${AUTH_BASE}/signin`, { callbackUrl }) },
    404,
  );

/** A missing provider leads to the auth error path (spec §2). */
export const answerMissingProvider = (c: ServerContext, base: string): Response =>
  c.json({ error: 'Missing provider.', url: toUrl(base, `${AUTH_BASE}/error`, {}) }, 404);
