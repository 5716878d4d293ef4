import { randomUUID } from 'node:crypto';

import type { User } from '#domain/schemas/session.ts';

import type { ServerContext } from '../http/answers.ts';
import type { SessionIdentity, Sessions, SignedIn } from '../kernel/contracts.ts';
import type { DeniedSessions } from '../denied/denied-sessions.ts';
import {
  SESSION_ABSOLUTE_FACTOR,
  SESSION_COOKIE_LENGTH_MAX,
  SESSION_RENEW_AFTER_MS,
} from '../kernel/limits.ts';
import type { BookedSession, SessionBook } from '../sessions/session-book.ts';
import type { Cookies } from './cookies.ts';
import type { SealedSession, SessionSeal } from './session-seal.ts';

/** Sessions with the cookie that carries them. */
export interface SessionService extends Sessions {
  /**
   * Begins a session under a new id; the one the request came with is denied. False, and
   * nothing done, when it is too long for a cookie: the product API's token is in it. Rejects
   * when it cannot be listed.
   */
  begin(c: ServerContext, signedIn: SignedIn): Promise<boolean>;
  /**
   * The request's session, renewed when due. A cookie that holds none stays: by the time the
   * answer arrives, a sign-in may have put another one in its place.
   */
  readAndRenew(c: ServerContext): Promise<SessionIdentity | undefined>;
  /**
   * Ends the request's session for good, on every device that copied its cookie. The cookie
   * stays: by the time the answer arrives, it may be another session's. A second one names the
   * session that ended, for servers that cannot know.
   */
  deny(c: ServerContext): Promise<void>;
  /** Ends it by the will of who holds it, and takes the cookie away. */
  end(c: ServerContext): Promise<void>;
}

interface Parts {
  readonly seal: SessionSeal;
  readonly denied: DeniedSessions;
  /** Undefined where sessions are not listed. */
  readonly book?: SessionBook | undefined;
  readonly cookies: Cookies;
  /** A session ends when unused this long (spec of `SESSION_MAX_AGE`). */
  readonly idleMs: number;
  /** ms since the epoch */
  readonly now: () => number;
}

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

const toBooked = (parts: Parts, { user, sid, startedAt }: SealedSession): BookedSession => ({
  uid: user.uid,
  sid,
  since: startedAt,
  until: toEnd(parts, startedAt),
});

/** Reads the session of a request's cookie unless it has ended. */
const createOpen = (parts: Parts) => {
  const unseal = createUnseal(parts);
  return async (request: Request): Promise<SealedSession | undefined> => {
    const session = await unseal(request);
    if (session === undefined || (await parts.denied.check(session.sid))) return undefined;
    if (parts.cookies.find(request, 'ended') === session.sid) return undefined;
    parts.book?.see(toBooked(parts, session), request);
    return session;
  };
};

/** A session with its cookie's text, not yet sent. */
interface Prepared {
  readonly session: SealedSession;
  readonly text: string;
}

/** Seals a session with a new idle time; undefined when it is too long for a cookie. */
const createPrepare =
  (parts: Parts) =>
  async (from: SealedSession): Promise<Prepared | undefined> => {
    const { seal, idleMs, now } = parts;
    const expires = Math.min(now() + idleMs, toEnd(parts, from.startedAt));
    const session = { ...from, issuedAt: now(), expires };
    const text = await seal.seal(session);
    return text.length > SESSION_COOKIE_LENGTH_MAX ? undefined : { session, text };
  };

/** A session that begins now; a picture gives way to a token that needs its room. */
const createPrepareFirst = (parts: Parts) => {
  const prepare = createPrepare(parts);
  return async ({ user, upstreamToken }: SignedIn): Promise<Prepared | undefined> => {
    const at = parts.now();
    const times = { startedAt: at, issuedAt: at, expires: at };
    const session = { user: clipUser(user), upstreamToken, sid: randomUUID(), ...times };
    return (
      (await prepare(session)) ??
      (await prepare({ ...session, user: { ...session.user, image: null } }))
    );
  };
};

const isDue = ({ idleMs, now }: Parts, session: SealedSession): boolean =>
  session.isOld === true || now() - session.issuedAt > Math.min(SESSION_RENEW_AFTER_MS, idleMs / 2);

const send = (c: ServerContext, { cookies }: Parts, { session, text }: Prepared): SealedSession => {
  cookies.set(c, 'session', text, session.expires);
  return session;
};

/** The browser tells the other servers, which may have no list in common with this one. */
const markEnded = (c: ServerContext, parts: Parts, { sid, startedAt }: SealedSession): void =>
  parts.cookies.set(c, 'ended', sid, toEnd(parts, startedAt));

export const createSessions = (parts: Parts): SessionService => {
  const { denied, cookies, book } = parts;
  const unseal = createUnseal(parts);
  const open = createOpen(parts);
  const prepare = createPrepare(parts);
  const prepareFirst = createPrepareFirst(parts);
  const deny = async (session: SealedSession | undefined): Promise<void> => {
    if (session === undefined) return;
    await denied.add(session.sid, toEnd(parts, session.startedAt));
    book?.forget(toBooked(parts, session));
  };
  return {
    read: open,
    isDenied: (sid) => denied.has(sid),
    onDenied: (listener) => denied.onAdded(listener),
    begin: async (c, signedIn) => {
      const first = await prepareFirst(signedIn);
      if (first === undefined) return false;
      await book?.begin(toBooked(parts, first.session), c.req.raw);
      await deny(await open(c.req.raw));
      send(c, parts, first);
      return true;
    },
    readAndRenew: async (c) => {
      const session = await open(c.req.raw);
      if (session === undefined || !isDue(parts, session)) return session;
      const renewed = await prepare(session);
      return renewed ? send(c, parts, renewed) : session;
    },
    deny: async (c) => {
      const session = await unseal(c.req.raw);
      if (session !== undefined) markEnded(c, parts, session);
      await deny(session);
    },
    end: async (c) => {
      // The cookie goes whatever becomes of the rest.
      cookies.clear(c, 'session');
      await deny(await unseal(c.req.raw));
    },
  };
};
