import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

import type { ServerContext } from '../http/answers.ts';
import { DEVICE_COOKIE_MAX_AGE_MS, DEVICE_COOKIE_ACCOUNTS_MAX } from '../kernel/limits.ts';
import { deriveKey } from '../kernel/secret.ts';
import type { Cookies } from './cookies.ts';

const ID_BYTES = 16;
/** `{id}.{expiry, ms since the epoch}.{HMAC over both and the account}`; one per account. */
const MARK = /^(?<id>[\w-]{22})\.(?<until>\d{1,16})\.(?<mac>[\w-]{43})$/;
const BETWEEN = '~';

/**
 * Marks a browser that signed in to an account, so that wrong guesses from elsewhere do not
 * lock it out. It does not grant access: the password is still required.
 */
export const createDeviceCookie = (secret: string, cookies: Cookies, now: () => number) => {
  const key = deriveKey(secret, 'device cookie v1');
  const toMac = (id: string, until: string, account: string): Buffer =>
    Buffer.from(createHmac('sha256', key).update(`${id}.${until}.${account}`).digest('base64url'));
  const readId = (mark: string, account: string): string | undefined => {
    const { id = '', until = '', mac = '' } = MARK.exec(mark)?.groups ?? {};
    const given = Buffer.from(mac);
    const expected = toMac(id, until, account);
    const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
    return isOurs && Number(until) > now() ? id : undefined;
  };
  const listMarks = (request: Request): readonly string[] =>
    (cookies.find(request, 'device') ?? '')
      .split(BETWEEN, DEVICE_COOKIE_ACCOUNTS_MAX)
      .filter((mark) => MARK.test(mark));
  const findMark = (request: Request, account: string): string | undefined =>
    listMarks(request).find((mark) => readId(mark, account) !== undefined);
  return {
    /** The browser's id for this account; undefined if it never signed in to it, or too long ago. */
    find: (request: Request, account: string): string | undefined => {
      const mark = findMark(request, account);
      return mark === undefined ? undefined : readId(mark, account);
    },
    /** Marks the browser of this request; marks for other accounts stay. */
    remember: (c: ServerContext, account: string): void => {
      const known = findMark(c.req.raw, account);
      const others = listMarks(c.req.raw).filter((mark) => mark !== known);
      const id = (known && readId(known, account)) ?? randomBytes(ID_BYTES).toString('base64url');
      const until = now() + DEVICE_COOKIE_MAX_AGE_MS;
      const mark = `${id}.${until}.${toMac(id, String(until), account).toString()}`;
      const marks = [mark, ...others].slice(0, DEVICE_COOKIE_ACCOUNTS_MAX);
      cookies.set(c, 'device', marks.join(BETWEEN), until);
    },
  };
};

export type DeviceCookie = ReturnType<typeof createDeviceCookie>;
