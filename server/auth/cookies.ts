import { deleteCookie, setCookie } from 'hono/cookie';
import { parse } from 'hono/utils/cookie';

import type { ServerContext } from '../http/answers.ts';

/**
 * The cookies of this server, all HttpOnly, SameSite=Lax, Path=/, no Domain. `ended` contains
 * the id of a session that a server refused, so that other servers refuse it too.
 */
const NAMES = {
  session: 'replay-desk.session',
  csrf: 'replay-desk.csrf',
  device: 'replay-desk.device',
  ended: 'replay-desk.ended',
} as const;
type CookieKind = keyof typeof NAMES;

/** No browser keeps a cookie longer (RFC 6265bis), and the library refuses it, ms. */
const LIFETIME_MAX_MS = 400 * 24 * 3600 * 1000;

/** `__Host-` names on https: the browser then refuses them from subdomains and over http. */
export const createCookies = (isSecure: boolean) => {
  const toName = (kind: CookieKind): string => `${isSecure ? '__Host-' : ''}${NAMES[kind]}`;
  const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure } as const;
  return {
    find: (request: Request, kind: CookieKind): string | undefined =>
      parse(request.headers.get('cookie') ?? '', toName(kind))[toName(kind)],
    /** Without `expires` (ms since the epoch) it ends with the browser. */
    set: (c: ServerContext, kind: CookieKind, value: string, expires?: number): void => {
      const latest = Date.now() + LIFETIME_MAX_MS;
      const lifetime =
        expires === undefined ? {} : { expires: new Date(Math.min(expires, latest)) };
      setCookie(c, toName(kind), value, { ...attributes, ...lifetime });
    },
    clear: (c: ServerContext, kind: CookieKind): void => {
      deleteCookie(c, toName(kind), attributes);
    },
  };
};

export type Cookies = ReturnType<typeof createCookies>;
