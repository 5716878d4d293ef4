import { randomUUID } from 'node:crypto';

import type { User } from '#domain/schemas/session.ts';

import type { ServerContext } from '../answers.ts';
import type { SessionIdentity, Sessions } from '../contracts.ts';
import { SESSION_ABSOLUTE_FACTOR, SESSION_RENEW_AFTER_MS } from '../limits.ts';
import type { Cookies } from './cookies.ts';
import type { DeniedSessions } from './denied-sessions.ts';
import type { SealedSession, SessionSeal } from './session-seal.ts';

/** Sessions with the cookie that carries them. */
export interface SessionDesk extends Sessions {
  /** Begins a session under a new id; the one the request came with is denied. */
  begin(c: ServerContext, user: User): Promise<void>;
  /** The request's session, renewed when due; a cookie that holds none is cleared. */
  readAndRenew(c: ServerContext): Promise<SessionIdentity | undefined>;
  /** Ends the request's session for good, on every device that copied its cookie. */
  end(c: ServerContext): Promise<void>;
}

interface Parts {
  readonly seal: SessionSeal;
  readonly denied: DeniedSessions;
  readonly cookies: Cookies;
  /** A session ends when unused this long (spec of `SESSION_MAX_AGE`). */
  readonly idleMs: number;
  /** ms since the epoch */
  readonly now: () => number;
}

/** A cookie above 4 kB would be dropped by the browser, and the sign-in with it. */
const IMAGE_LENGTH_MAX = 1024;
const NAME_LENGTH_MAX = 200;

const clipUser = (user: User): User => ({
  ...user,
  name: user.name?.slice(0, NAME_LENGTH_MAX) ?? null,
  image: (user.image ?? '').length > IMAGE_LENGTH_MAX ? null : (user.image ?? null),
});

/** Reads the session of a request's cookie, denied or not. */
const createUnseal =
  ({ seal, cookies, now }: Parts) =>
  async (request: Request): Promise<SealedSession | undefined> => {
    const text = cookies.find(request, 'session');
    return text ? seal.open(text, now()) : undefined;
  };

/** When a session that began then ends, however much it is used. */
const toEnd = ({ idleMs }: Parts, startedAt: number): number =>
  startedAt + idleMs * SESSION_ABSOLUTE_FACTOR;

/** Writes a session's cookie, with a new idle time. */
const createIssue =
  (parts: Parts) =>
  async (c: ServerContext, session: SealedSession): Promise<SealedSession> => {
    const { seal, cookies, idleMs, now } = parts;
    const expires = Math.min(now() + idleMs, toEnd(parts, session.startedAt));
    const issued = { ...session, issuedAt: now(), expires };
    cookies.set(c, 'session', await seal.seal(issued), expires);
    return issued;
  };

export const createSessions = (parts: Parts): SessionDesk => {
  const { denied, cookies, idleMs, now } = parts;
  const unseal = createUnseal(parts);
  const open = async (request: Request): Promise<SealedSession | undefined> => {
    const session = await unseal(request);
    return session !== undefined && !denied.has(session.sid) ? session : undefined;
  };
  const issue = createIssue(parts);
  const deny = (session: SealedSession | undefined): void => {
    if (session !== undefined) denied.add(session.sid, toEnd(parts, session.startedAt));
  };
  const isDue = (session: SealedSession): boolean =>
    now() - session.issuedAt > Math.min(SESSION_RENEW_AFTER_MS, idleMs / 2);
  return {
    read: open,
    isDenied: (sid) => denied.has(sid),
    onDenied: (listener) => denied.onAdded(listener),
    begin: async (c, user) => {
      deny(await open(c.req.raw));
      const at = now();
      const session = { user: clipUser(user), sid: randomUUID(), startedAt: at };
      await issue(c, { ...session, issuedAt: at, expires: at });
    },
    readAndRenew: async (c) => {
      const session = await open(c.req.raw);
      if (session !== undefined) return isDue(session) ? issue(c, session) : session;
      if (cookies.find(c.req.raw, 'session') !== undefined) cookies.clear(c, 'session');
      return undefined;
    },
    end: async (c) => {
      // Also one denied before: the first time it may not have reached the disk.
      deny(await unseal(c.req.raw));
      cookies.clear(c, 'session');
    },
  };
};
