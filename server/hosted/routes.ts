import { Hono } from 'hono';

import type { AppError } from '#domain/errors.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { toSubscription, toSubscriptionBytes } from '#domain/rules/subscription.ts';
import type { Team } from '#domain/schemas/team.ts';

import { answerError, serve, type ServerContext, type ServerEnv } from '../answers.ts';
import type { SessionDesk } from '../auth/sessions.ts';
import type { HostedKeyset } from '../config.ts';
import type { SessionIdentity } from '../contracts.ts';
import { createMemoryLimiter, takeFrom, toRetryAfter } from '../limiting/limiters.ts';
import {
  ACCESS_PATTERN_BYTES_MAX,
  HOSTED_ADDRESS_BYTES_MAX,
  HOSTED_TOKEN_MINUTES,
  HOSTED_TOKENS_PER_SESSION,
  HOSTED_TOKENS_WINDOW_MS,
  HOSTED_UID_LENGTH_MAX,
} from '../limits.ts';
import type { Log } from '../log.ts';
import { answerStaffFailure } from '../proxy/staff-failure.ts';
import type { StaffSource } from '../proxy/staff-source.ts';
import type { RealtimeRoutes } from '../realtime/routes.ts';
import { toAccessPattern } from './access-pattern.ts';
import { createGrantToken, type GrantToken } from './grant-token.ts';

/** What the endpoint of the hosted engine needs of the rest of the server. */
export interface HostedDeps {
  readonly sessions: SessionDesk;
  readonly staff: StaffSource;
  readonly keyset: HostedKeyset;
  readonly channelTemplate: string;
  readonly log: Log;
  /** ms since the epoch */
  readonly now: () => number;
}

interface TokenDesk extends HostedDeps {
  readonly limiter: ReturnType<typeof createMemoryLimiter>;
  /** Undefined: the keyset has no Access Manager. */
  readonly grant: GrantToken | undefined;
}

const MINUTE_MS = 60_000;

/** In whole minutes, as the service counts them, and no longer than the session. */
const toMinutes = (leftMs: number): number =>
  Math.min(HOSTED_TOKEN_MINUTES, Math.max(1, Math.ceil(leftMs / MINUTE_MS)));

const refuse = (detail: string): Result<never, AppError> => fail({ kind: 'malformed', detail });
const TOO_MANY = 'too many clients for one access token: see docs/integration.md';

/** A token for these clients' rooms; empty where the keyset has no Access Manager. */
const grantRooms = async (
  { channelTemplate, grant, now }: TokenDesk,
  { user, expires }: SessionIdentity,
  clientIds: readonly string[],
): Promise<Result<string, AppError>> => {
  if (grant === undefined) return ok('');
  if (user.uid.length > HOSTED_UID_LENGTH_MAX) return refuse('the uid is too long');
  const pattern = clientIds.length > 0 ? toAccessPattern(channelTemplate, clientIds) : undefined;
  if ((pattern ?? '').length > ACCESS_PATTERN_BYTES_MAX) return refuse(TOO_MANY);
  return grant({ uid: user.uid, minutes: toMinutes(expires - now()), pattern });
};

const answerGrantFailure = (c: ServerContext, { log }: TokenDesk, error: AppError): Response => {
  const status = 'status' in error ? error.status : undefined;
  const detail = error.kind === 'malformed' ? error.detail : undefined;
  log.error({ reason: error.kind, status, detail }, 'no access token was granted');
  return error.kind === 'timeout'
    ? answerError(c, 504, 'The realtime service did not answer in time')
    : answerError(c, 502, 'The realtime service granted no access');
};

/** What the page needs to reach its rooms, if all of it fits into the address of a request. */
const openRooms = async (
  desk: TokenDesk,
  session: SessionIdentity,
  teams: readonly Team[],
): Promise<Result<{ readonly token: string; readonly channels: readonly string[] }, AppError>> => {
  const clientIds = teams.map(({ client_id }) => client_id);
  const channels = toSubscription(desk.channelTemplate, clientIds);
  const granted = await grantRooms(desk, session, clientIds);
  if (!granted.ok) return granted;
  const token = granted.value;
  return token.length + toSubscriptionBytes(channels) > HOSTED_ADDRESS_BYTES_MAX
    ? refuse(TOO_MANY)
    : ok({ token, channels });
};

/**
 * `GET token`: `{token, expires, uid, channels}` for the signed-in user: an access token for
 * the rooms of his or her clients, and what to subscribe to for them; the token is empty where
 * the keyset has no Access Manager. `expires` (ms since the epoch) never lies behind the
 * session's end. 401 without a session, 429 for one that asks too often, 502 or 504 when the
 * product API or the realtime service failed.
 */
const answerToken = async (desk: TokenDesk, c: ServerContext): Promise<Response> => {
  const { sessions, staff, log, now } = desk;
  const session = await sessions.read(c.req.raw);
  if (session === undefined) return answerError(c, 401, 'Sign in first');
  const taken = await takeFrom(desk.limiter, session.sid);
  if (!taken.ok) {
    return answerError(c, 429, 'Too many tokens', { 'retry-after': toRetryAfter(taken) });
  }
  const expires = Math.min(session.expires, now() + HOSTED_TOKEN_MINUTES * MINUTE_MS);
  const teams = await staff.teams(session);
  if (!teams.ok) {
    const { error } = teams;
    return answerStaffFailure(c, { list: 'teams', error, session, sessions, log });
  }
  const opened = await openRooms(desk, session, teams.value);
  return opened.ok
    ? c.json({ ...opened.value, expires, uid: session.user.uid })
    : answerGrantFailure(c, desk, opened.error);
};

/** The server's part in a hosted engine: the page speaks to the engine itself, with a token from here. */
export const createHostedRoutes = (deps: HostedDeps): RealtimeRoutes => {
  const { keyset, now } = deps;
  const plan = {
    name: 'hosted-tokens',
    points: HOSTED_TOKENS_PER_SESSION,
    windowMs: HOSTED_TOKENS_WINDOW_MS,
  };
  const { secretKey } = keyset;
  const desk: TokenDesk = {
    ...deps,
    limiter: createMemoryLimiter(plan),
    grant: secretKey === undefined ? undefined : createGrantToken(keyset, secretKey, now),
  };
  const routes = new Hono<ServerEnv>();
  serve(routes, '/token', { GET: (c) => answerToken(desk, c) });
  return { routes, close: () => undefined };
};
