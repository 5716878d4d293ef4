import type { MiddlewareHandler } from 'hono';

import { isCutOff, type ServerContext, type ServerEnv } from '../http/answers.ts';
import { findClientAddress } from '../http/client-address.ts';
import type { BegunSession, Sessions, SignedIn } from '../kernel/contracts.ts';
import { EMAIL_LENGTH_MAX } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import type { Origins } from '../http/origins.ts';
import { toLogText } from '../kernel/log-text.ts';

/** How an attempt ended; `failed`: the server could not check it or could not complete it. */
export const AUDIT_OUTCOMES = ['succeeded', 'refused', 'limited', 'rejected', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** One line of the audit trail, documented in docs/operation.md. */
export interface AuditEntry {
  readonly event: `sign-in.${AuditOutcome}` | `sign-out.${AuditOutcome}` | 'session.ended';
  /** The account as entered at a sign-in, whether it exists or not. */
  readonly account?: string | undefined;
  /** The uid of a session, or of the account whose password was right. */
  readonly uid?: string | undefined;
  readonly reason?:
    | 'csrf'
    | 'provider'
    | 'size'
    | 'host'
    | 'replaced'
    | 'product API'
    | 'another session'
    | 'limit'
    | undefined;
}

/** Writes one line, with the request's id and the client's address. */
export type Audit = (c: ServerContext, entry: AuditEntry) => void;

/** `log` must write level 30 at every level of the server's own log. */
export const createAudit =
  (log: Pick<Log, 'info'>, origins: Origins, onSignIn: (outcome: AuditOutcome) => void): Audit =>
  (c, { account, ...entry }) => {
    const outcome = AUDIT_OUTCOMES.find((one) => entry.event === `sign-in.${one}`);
    if (outcome !== undefined) onSignIn(outcome);
    const name = account ? { account: toLogText(account, EMAIL_LENGTH_MAX) } : {};
    const address = findClientAddress(c.env.incoming, origins.isSecure);
    const requestId = c.get('requestId');
    log.info({ audit: true, ...entry, ...name, address, requestId }, 'audit');
  };

const OUTCOMES: ReadonlyMap<
  number,
  Pick<AuditEntry, 'reason'> & { readonly outcome: AuditOutcome }
> = new Map([
  [200, { outcome: 'succeeded' }],
  [400, { outcome: 'rejected', reason: 'csrf' }],
  [401, { outcome: 'refused' }],
  [404, { outcome: 'rejected', reason: 'provider' }],
  [429, { outcome: 'limited' }],
]);

const readOutcome = ({ res }: ServerContext) => OUTCOMES.get(res.status) ?? { outcome: 'failed' };

/** The handler has read the body and the framework cached it; undefined if it contains none. */
const readAccount = async (c: ServerContext): Promise<string | undefined> => {
  if (c.req.header('content-type')?.toLowerCase().startsWith('application/json')) return undefined;
  return new URLSearchParams(await c.req.text()).get('email') ?? undefined;
};

/** Only complete POST requests are attempts. */
const isAttempt = (c: ServerContext): boolean => c.req.method === 'POST' && !isCutOff(c);

/**
 * Writes a line per attempt to sign in, by the status of its response, so that every exit of the
 * handler is covered. For `signin/…`, where a sign-in merely starts, only a refusal is recorded.
 */
export const auditSignIns =
  (audit: Audit, begins: 'sign-in' | 'page'): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    await next();
    const { outcome, reason } = { reason: undefined, ...readOutcome(c) };
    if (!isAttempt(c) || (begins === 'page' && outcome === 'succeeded')) return;
    const account = await readAccount(c);
    audit(c, { event: `sign-in.${outcome}`, account, uid: c.get('uid'), reason });
  };

/** Writes a line per attempt to sign out, with the uid of its session. */
export const auditSignOuts =
  (audit: Audit, sessions: Pick<Sessions, 'read'>): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    const session = await sessions.read(c.req.raw);
    await next();
    if (!isAttempt(c)) return;
    const { outcome, reason } = { reason: undefined, ...readOutcome(c) };
    audit(c, { event: `sign-out.${outcome}`, uid: session?.user.uid, reason });
  };

/** Refusals before a request reaches the routes: its body is too large, or its host is another. */
const EARLY_REASONS: ReadonlyMap<number, AuditEntry['reason']> = new Map([
  [413, 'size'],
  [421, 'host'],
]);

/** Writes a line per attempt to sign in or out that was refused before its route. */
export const auditEarlyRefusals =
  (audit: Audit, attempt: 'sign-in' | 'sign-out'): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    await next();
    const reason = EARLY_REASONS.get(c.res.status);
    if (reason !== undefined && isAttempt(c)) audit(c, { event: `${attempt}.rejected`, reason });
  };

/** The ways in which a session ends without a sign-out. */
interface EndingSessions extends Sessions {
  begin(c: ServerContext, signedIn: SignedIn): Promise<BegunSession | undefined>;
  deny(c: ServerContext): Promise<void>;
}

/** The same sessions; one that ends other than by a sign-out writes a line. */
export const auditSessions = <S extends EndingSessions>(sessions: S, audit: Audit): S => ({
  ...sessions,
  begin: async (c: ServerContext, signedIn: SignedIn) => {
    const before = await sessions.read(c.req.raw);
    const begun = await sessions.begin(c, signedIn);
    if (begun === undefined) return undefined;
    if (before !== undefined) {
      audit(c, { event: 'session.ended', uid: before.user.uid, reason: 'replaced' });
    }
    const { uid } = signedIn.user;
    for (let n = 0; n < begun.endedByLimit; n += 1) {
      audit(c, { event: 'session.ended', uid, reason: 'limit' });
    }
    return begun;
  },
  deny: async (c: ServerContext) => {
    const session = await sessions.read(c.req.raw);
    await sessions.deny(c);
    if (session !== undefined) {
      audit(c, { event: 'session.ended', uid: session.user.uid, reason: 'product API' });
    }
  },
});
