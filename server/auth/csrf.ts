import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { ServerContext } from '../http/answers.ts';
import { deriveKey } from '../kernel/secret.ts';
import type { Cookies } from './cookies.ts';

/**
 * CSRF tokens: an HMAC over the browser's nonce cookie and the session id, so that a token is
 * valid in one browser and one session only.
 */
export interface Csrf {
  /** A token for this browser and session; sets the nonce cookie if there is none. */
  issue(c: ServerContext, sid: string | undefined): string;
  isValid(request: Request, sid: string | undefined, token: string | null): boolean;
}

const NONCE_BYTES = 32;
const NONCE = /^[\w-]{43}$/;

/**
 * Issues under the current secret and accepts the previous one as well: while the secret is being
 * rotated, one instance may receive the form of another.
 */
export const createCsrf = (secret: string, cookies: Cookies, previousSecret?: string): Csrf => {
  const key = deriveKey(secret, 'csrf v1');
  const keys = previousSecret === undefined ? [key] : [key, deriveKey(previousSecret, 'csrf v1')];
  const toToken = (nonce: string, sid: string | undefined, under = key): string =>
    createHmac('sha256', under)
      .update(`${nonce}.${sid ?? ''}`)
      .digest('base64url');
  const findNonce = (request: Request): string | undefined => {
    const nonce = cookies.find(request, 'csrf');
    return nonce !== undefined && NONCE.test(nonce) ? nonce : undefined;
  };
  return {
    issue: (c, sid) => {
      const found = findNonce(c.req.raw);
      const nonce = found ?? randomBytes(NONCE_BYTES).toString('base64url');
      if (found === undefined) cookies.set(c, 'csrf', nonce);
      return toToken(nonce, sid);
    },
    isValid: (request, sid, token) => {
      const nonce = findNonce(request);
      if (nonce === undefined || token === null) return false;
      const given = Buffer.from(token);
      return keys.some((under) => {
        const expected = Buffer.from(toToken(nonce, sid, under));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
};
