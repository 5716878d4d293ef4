import type { OwnKeys } from '#domain/ports/device.ts';
import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { Session } from '#domain/schemas/session.ts';

import type { Scheduler } from './scheduler.ts';

const SESSION_MS = 30 * 24 * 3_600_000;
const TOKEN_MS = 3_600_000;

/** The session behind a cookie. */
export interface SimSession {
  readonly id: number;
  readonly uid: string;
}

export interface SimToken {
  readonly token: string;
  readonly uid: string;
  /** ms since the epoch, by the server's clock */
  readonly expires: number;
}

/** Sessions and access tokens. */
export class SimServer {
  readonly #scheduler: Scheduler;
  readonly #tokens = new Map<string, SimToken>();
  readonly #ended = new Set<number>();
  #issued = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  signIn(uid: string): SimSession {
    this.#issued += 1;
    return { id: this.#issued, uid };
  }

  /** Ends a session permanently, for every copy of its cookie. */
  signOut(session: SimSession | undefined): void {
    if (session) this.#ended.add(session.id);
  }

  /** The user of a session, while it is valid. */
  findUser(session: SimSession | undefined): string | undefined {
    return session && !this.#ended.has(session.id) ? session.uid : undefined;
  }

  getSession(session: SimSession | undefined): Session | undefined {
    const uid = this.findUser(session);
    if (uid === undefined) return undefined;
    const expires = new Date(this.#scheduler.now + SESSION_MS).toISOString();
    return { user: { uid }, expires };
  }

  /** The keys of the session's user, which must be `uid`, as the page expects. */
  getKeys(session: SimSession | undefined, uid: string): Result<OwnKeys, AppError> {
    if (this.findUser(session) !== uid) return fail({ kind: 'unauthenticated' });
    return ok({ keys: [{ sealsFor: uid }], storeIds: [`store-${uid}`] });
  }

  issueToken(session: SimSession | undefined): Result<SimToken, AppError> {
    const uid = this.findUser(session);
    if (uid === undefined) return fail({ kind: 'unauthenticated' });
    this.#issued += 1;
    const token = { token: `t${this.#issued}`, uid, expires: this.#scheduler.now + TOKEN_MS };
    this.#tokens.set(token.token, token);
    return ok(token);
  }

  /** The user of a token. */
  findUid(token: string): Result<string, AppError> {
    const known = this.#tokens.get(token);
    const isValid = known !== undefined && known.expires > this.#scheduler.now;
    return isValid ? ok(known.uid) : fail({ kind: 'unauthenticated' });
  }

  expireTokens(): void {
    this.#tokens.clear();
  }
}
