import { toCallbackPath } from '#domain/rules/callback-url.ts';

import { isPublicAddress } from '../config/addresses.ts';
import type { ServerContext } from '../http/answers.ts';
import { isFromOwnPage, type Origins } from '../http/origins.ts';
import type { AuthDeps } from './auth-deps.ts';
import { answerAuthError } from './url-answer.ts';

/** A form from our own page, with the address to go to afterwards. */
export interface TrustedForm {
  readonly fields: URLSearchParams;
  /** The origin to which the request was addressed. */
  readonly base: string;
  /** Absolute, of this origin. */
  readonly callbackUrl: string;
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

/**
 * What to do on a page at another address of this server, such as a tunnel: reloading it would not
 * help. Undefined for any other page.
 */
const findAdvice = (request: Request, origins: Origins): string | undefined => {
  const origin = request.headers.get('origin') ?? '';
  if (!URL.canParse(origin) || origins.isOwn(origin)) return undefined;
  if (!origins.isServed(new URL(origin).host)) return undefined;
  const mayChange = !origins.isSecure && isPublicAddress(origin);
  const change = mayChange ? ', or set PUBLIC_URL to this one' : '';
  return `Sign-in only works at ${origins.main}. Open that address${change}.`;
};

/**
 * Reads a posted form, or answers 400 with `error=MissingCSRF`. It accepts only form-encoded
 * bodies (a foreign page could send others unnoticed, or not at all), only from our own pages,
 * and only with a token of this browser and session.
 */
export const readTrustedForm = async (
  c: ServerContext,
  { csrf, origins, sessions }: AuthDeps,
): Promise<TrustedForm | Response> => {
  const base = origins.of(c.req.raw);
  const isForm = FORM_TYPE.test(c.req.header('content-type') ?? '');
  const fields = new URLSearchParams(isForm ? await c.req.text() : '');
  const callbackUrl = `${base}${toCallbackPath(fields.get('callbackUrl'), base)}`;
  const session = await sessions.read(c.req.raw);
  const isTrusted =
    isFromOwnPage(c.req.raw, origins) &&
    csrf.isValid(c.req.raw, session?.sid, fields.get('csrfToken'));
  return isTrusted
    ? { fields, base, callbackUrl }
    : answerAuthError(c, base, 'MissingCSRF', callbackUrl, findAdvice(c.req.raw, origins));
};
