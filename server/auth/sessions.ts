import { randomUUID } from 'node:crypto';

import type { User } from '#domain/schemas/session.ts';

import type { ServerContext } from '../http/answers.ts';
import type { BegunSession, SessionIdentity, Sessions, SignedIn } from '../kernel/contracts.ts';
import type { DeniedSessions } from '../denied/denied-sessions.ts';
import {
  SESSION_ABSOLUTE_FACTOR,
  SESSION_COOKIE_LENGTH_MAX,
  SESSION_RENEW_AFTER_MS,
} from '../kernel/limits.ts';
import type { ListedSession, SessionRegistry } from '../sessions/session-registry.ts';
import type { Cookies } from './cookies.ts';
import type { SealedSession, SessionSeal } from './session-seal.ts';

/** Sessions with their cookie. */
export interface SessionService extends Sessions {
  /**
   * Starts a session under a new id and denies the one of the request. Returns undefined and does
   * nothing if the product API's token makes it too long for a cookie. Rejects if it cannot be
   * listed.
   */
  begin(c: ServerContext, signedIn: SignedIn): Promise<BegunSession | undefined>;
  /**
   * The request's session, renewed when due. An invalid cookie is not cleared: by the time the
   * response arrives, a sign-in may have replaced it.
   */
  readAndRenew(c: ServerContext): Promise<SessionIdentity | undefined>;
  /**
   * Ends the request's session permanently, on every device that copied its cookie. The cookie
   * is not cleared: by the time the response arrives, it may be another session's. A second
   * cookie names the ended session, for servers that do not share the denylist.
   */
  deny(c: ServerContext): Promise<void>;
  /** Signs out: ends the session at its holder's request and clears the cookie. */
  end(c: ServerContext): Promise<void>;
}

interface Parts {
  readonly seal: SessionSeal;
  readonly denied: DeniedSessions;
  /** Users whose sessions count as ended. */
  readonly refusedUids: ReadonlySet<string>;
  /** Undefined if sessions are not listed. */
  readonly registry?: SessionRegistry | undefined;
  readonly cookies: Cookies;
  /** A session expires when unused this long (`SESSION_MAX_AGE`). */
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

/** Reads the session of a request's cookie, whether denied or not. */
const createUnseal =
  ({ seal, cookies, now }: Parts) =>
  async (request: Request): Promise<SealedSession | undefined> => {
    const text = cookies.find(request, 'session');
    return text ? seal.open(text, now()) : undefined;
  };

/** The latest possible end of a session that began at `startedAt`, however much it is used. */
const toEnd = ({ idleMs }: Parts, startedAt: number): number =>
  startedAt + idleMs * SESSION_ABSOLUTE_FACTOR;

/** Its cookie may allow more: it was sealed under an earlier, longer limit. */
const isOver = (parts: Parts, { issuedAt, startedAt }: SealedSession): boolean =>
  parts.now() >= Math.min(issuedAt + parts.idleMs, toEnd(parts, startedAt));

/** Its cookie may last longer than the present limit allows, which may be raised again. */
const toDeniedUntil = (parts: Parts, { startedAt, expires }: SealedSession): number =>
  Math.max(toEnd(parts, startedAt), expires);

const toListed = (parts: Parts, session: SealedSession): ListedSession => ({
  uid: session.user.uid,
  sid: session.sid,
  since: session.startedAt,
  until: toDeniedUntil(parts, session),
});

/** Reads the session of a request's cookie unless it has ended. */
const createOpen = (parts: Parts) => {
  const unseal = createUnseal(parts);
  return async (request: Request): Promise<SealedSession | undefined> => {
    const session = await unseal(request);
    if (session === undefined || isOver(parts, session)) return undefined;
    if (parts.refusedUids.has(session.user.uid)) return undefined;
    if (await parts.denied.check(session.sid)) return undefined;
    if (parts.cookies.find(request, 'ended') === session.sid) return undefined;
    parts.registry?.recordUse(toListed(parts, session), request);
    return session;
  };
};

/** A session with the text of its cookie, not sent yet. */
interface Prepared {
  readonly session: SealedSession;
  readonly text: string;
}

/** Encrypts a session with a new idle time; undefined if it is too long for a cookie. */
const createPrepare =
  (parts: Parts) =>
  async (from: SealedSession): Promise<Prepared | undefined> => {
    const { seal, idleMs, now } = parts;
    const expires = Math.min(now() + idleMs, toEnd(parts, from.startedAt));
    const session = { ...from, issuedAt: now(), expires };
    const text = await seal.seal(session);
    return text.length > SESSION_COOKIE_LENGTH_MAX ? undefined : { session, text };
  };

/** A session that begins now; drops the picture if the token needs its space. */
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

/** The browser passes this on to the other servers, which may not share the denylist. */
const markEnded = (c: ServerContext, parts: Parts, session: SealedSession): void =>
  parts.cookies.set(c, 'ended', session.sid, toDeniedUntil(parts, session));

export const createSessions = (parts: Parts): SessionService => {
  const { denied, cookies, registry } = parts;
  const unseal = createUnseal(parts);
  const open = createOpen(parts);
  const prepare = createPrepare(parts);
  const prepareFirst = createPrepareFirst(parts);
  const deny = async (session: SealedSession | undefined): Promise<void> => {
    if (session === undefined) return;
    await denied.add(session.sid, toDeniedUntil(parts, session));
    registry?.forget(toListed(parts, session));
  };
  return {
    read: open,
    isDenied: (sid) => denied.has(sid),
    isRefused: (uid) => parts.refusedUids.has(uid),
    onDenied: (listener) => denied.onAdded(listener),
    begin: async (c, signedIn) => {
      const first = await prepareFirst(signedIn);
      if (first === undefined) return undefined;
      const replaced = await open(c.req.raw);
      const beyond = await registry?.begin(
        toListed(parts, first.session),
        c.req.raw,
        replaced?.sid,
      );
      await deny(replaced);
      send(c, parts, first);
      return { endedByLimit: beyond?.length ?? 0 };
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
      // The cookie is cleared even if the rest fails.
      cookies.clear(c, 'session');
      await deny(await unseal(c.req.raw));
    },
  };
};
