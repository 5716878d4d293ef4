import { Hono } from 'hono';

import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import {
  findOwnChannel,
  findStaffChannel,
  toSubscription,
  toSubscriptionBytes,
} from '#domain/rules/subscription.ts';

import {
  answerError,
  answerUpstreamError,
  serve,
  type ServerContext,
  type ServerEnv,
} from '../http/answers.ts';
import type { SessionService } from '../auth/sessions.ts';
import type { HostedKeyset } from '../config/config.ts';
import type { SessionIdentity } from '../kernel/contracts.ts';
import { createMemoryLimiter, takeFrom, toRetryAfter } from '../limiting/limiters.ts';
import {
  ACCESS_PATTERN_BYTES_MAX,
  HOSTED_ADDRESS_BYTES_MAX,
  HOSTED_TOKEN_MINUTES,
  HOSTED_TOKENS_PER_SESSION,
  HOSTED_TOKENS_WINDOW_MS,
  HOSTED_UID_LENGTH_MAX,
} from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import { isRefusal } from '../kernel/upstream.ts';
import { answerStaffFailure, logStaffFailure } from '../proxy/staff-failure.ts';
import type { StaffSource } from '../proxy/staff-source.ts';
import type { RealtimeRoutes } from '../realtime/routes.ts';
import { type AccessManager, createAccessManager } from './access-manager.ts';
import { toAccessPattern } from './access-pattern.ts';
import type { EngineFault } from './engine-request.ts';
import { createGrantedTokens, type GrantedTokens, revokeTokens } from './granted-tokens.ts';
import { createKnownClients, type KnownClients } from './known-clients.ts';

/** The parts of the server that the hosted engine's endpoint uses. */
export interface HostedDeps {
  readonly sessions: SessionService;
  readonly staff: StaffSource;
  readonly keyset: HostedKeyset;
  readonly channelTemplate: string;
  readonly log: Log;
  /** ms since the epoch */
  readonly now: () => number;
}

interface TokenService extends HostedDeps {
  readonly limiter: ReturnType<typeof createMemoryLimiter>;
  /** Undefined: the keyset has no Access Manager. */
  readonly access: AccessManager | undefined;
  readonly granted: GrantedTokens;
  readonly known: KnownClients;
}

/** Why there is no token: a fault of the engine, or a request that cannot be made. */
type GrantFault = EngineFault | { readonly kind: 'invalid'; readonly detail: string };

const MINUTE_MS = 60_000;

/**
 * The lifetime of a token in whole minutes, as the service counts them: at most that of the
 * session, rounded up.
 */
const toMinutes = (leftMs: number): number =>
  Math.min(HOSTED_TOKEN_MINUTES, Math.max(1, Math.ceil(leftMs / MINUTE_MS)));

const refuse = (detail: string): Result<never, GrantFault> => fail({ kind: 'invalid', detail });
const TOO_MANY = 'too many clients for one access token: see docs/integration.md';

/** The scope of a token: the rooms of these clients, and the channels of logs. */
interface Wanted {
  readonly clientIds: readonly string[];
  readonly logs: readonly string[];
}

/** A token; empty if the keyset has no Access Manager. */
const grantChannels = async (
  { channelTemplate, access, granted, now }: TokenService,
  { user, sid, expires }: SessionIdentity,
  { clientIds, logs }: Wanted,
): Promise<Result<string, GrantFault>> => {
  if (access === undefined) return ok('');
  if (user.uid.length > HOSTED_UID_LENGTH_MAX) return refuse('the uid is too long');
  const pattern = clientIds.length > 0 ? toAccessPattern(channelTemplate, clientIds) : undefined;
  if ((pattern ?? '').length > ACCESS_PATTERN_BYTES_MAX) return refuse(TOO_MANY);
  const minutes = toMinutes(expires - now());
  const token = await access.grant({ uid: user.uid, minutes, pattern, channels: logs });
  if (token.ok) granted.add({ sid, token: token.value, endsAt: now() + minutes * MINUTE_MS });
  return token;
};

/** Texts for the page; the log has the details. */
const PAGE_TEXTS: Readonly<Record<GrantFault['kind'], string>> = {
  refused: 'The realtime service granted no access',
  foreign: 'The realtime service gave no usable answer',
  unreachable: 'The realtime service cannot be reached',
  timeout: 'The realtime service did not answer in time',
  invalid: 'Your account has too many clients or too long a uid for an access token',
};

const answerGrantFailure = (
  c: ServerContext,
  { log }: TokenService,
  fault: GrantFault,
): Response => {
  const { kind, ...more } = fault;
  log.error({ reason: kind, ...more }, 'no access token was granted');
  return answerUpstreamError(c, kind === 'timeout' ? 504 : 502, PAGE_TEXTS[kind]);
};

/** The token and channels for a page, if they fit into the URL of a request. */
const openChannels = async (
  service: TokenService,
  session: SessionIdentity,
  clientIds: readonly string[],
): Promise<
  Result<{ readonly token: string; readonly channels: readonly string[] }, GrantFault>
> => {
  const { channelTemplate: template } = service;
  const found = [findOwnChannel(template, session.user.uid), findStaffChannel(template)];
  const logs = found.filter((channel) => channel !== undefined);
  const channels = [...toSubscription(template, clientIds), ...logs];
  const granted = await grantChannels(service, session, { clientIds, logs });
  if (!granted.ok) return granted;
  const token = granted.value;
  return encodeURIComponent(token).length + toSubscriptionBytes(channels) > HOSTED_ADDRESS_BYTES_MAX
    ? refuse(TOO_MANY)
    : ok({ token, channels });
};

/** The clients of a session; the last known ones while the product API is down. */
const findClients = async (
  { staff, known, log }: TokenService,
  session: SessionIdentity,
): Promise<Result<readonly string[], AppError>> => {
  const { sid } = session;
  const teams = await staff.teams(session);
  if (teams.ok) {
    const clientIds = teams.value.map(({ client_id }) => client_id);
    known.keep(sid, clientIds);
    return ok(clientIds);
  }
  if (isRefusal(teams.error)) known.forget(sid);
  const clientIds = known.find(sid);
  if (clientIds === undefined) return teams;
  logStaffFailure(log, 'teams', teams.error);
  return ok(clientIds);
};

/** Revokes the tokens of a session in the background: nothing waits for the service. */
const revokeSession = ({ access, granted, known, log }: TokenService, sid: string): void => {
  known.forget(sid);
  if (access !== undefined) void revokeTokens(access, granted.take(sid), log);
};

/**
 * `GET token`: `{token, expires, uid, channels}` for the signed-in user: an access token for the
 * rooms of their clients, their user log and the staff log, and the channels to subscribe to. The
 * token is empty if the keyset has no Access Manager. `expires` (ms since the epoch) is never after
 * the session's end. 401 without a session, 429 after too many requests, 502 or 504 if the realtime
 * service failed, or the product API without a stored list.
 */
const answerToken = async (service: TokenService, c: ServerContext): Promise<Response> => {
  const { sessions, log, now } = service;
  const session = await sessions.read(c.req.raw);
  if (session === undefined) return answerError(c, 401, 'Sign in first');
  const taken = await takeFrom(service.limiter, session.sid);
  if (!taken.ok) {
    return answerError(c, 429, 'Too many token requests', { 'retry-after': toRetryAfter(taken) });
  }
  const expires = Math.min(session.expires, now() + HOSTED_TOKEN_MINUTES * MINUTE_MS);
  const clientIds = await findClients(service, session);
  if (!clientIds.ok) {
    const { error } = clientIds;
    return answerStaffFailure(c, { list: 'teams', error, session, sessions, log });
  }
  const opened = await openChannels(service, session, clientIds.value);
  if (sessions.isDenied(session.sid)) {
    // The user signed out while the token was being granted.
    revokeSession(service, session.sid);
    return answerError(c, 401, 'Sign in first');
  }
  return opened.ok
    ? c.json({ ...opened.value, expires, uid: session.user.uid })
    : answerGrantFailure(c, service, opened.error);
};

/** The server's part of a hosted engine: the page calls the engine with a token from here. */
export const createHostedRoutes = (deps: HostedDeps): RealtimeRoutes => {
  const { keyset, sessions, now } = deps;
  const plan = {
    name: 'hosted-tokens',
    points: HOSTED_TOKENS_PER_SESSION,
    windowMs: HOSTED_TOKENS_WINDOW_MS,
  };
  const { secretKey } = keyset;
  const service: TokenService = {
    ...deps,
    limiter: createMemoryLimiter(plan),
    access: secretKey === undefined ? undefined : createAccessManager(keyset, secretKey, now),
    granted: createGrantedTokens(now),
    known: createKnownClients(now),
  };
  sessions.onDenied((sid) => revokeSession(service, sid));
  const routes = new Hono<ServerEnv>();
  serve(routes, '/token', { GET: (c) => answerToken(service, c) });
  return { routes, close: () => undefined };
};
