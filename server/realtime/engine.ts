import { BurstyRateLimiter, RateLimiterMemory } from 'rate-limiter-flexible';

import { fail, ok, type Result } from '#domain/result.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { answerError, type ServerContext } from '../http/answers.ts';
import type { Authority, SessionIdentity, Sessions } from '../kernel/contracts.ts';
import type { Log } from '../kernel/log.ts';
import { takeFrom, toRetryAfter } from '../limiting/limiters.ts';
import type { PublishOutcome } from '../observe/metrics.ts';
import { type Refusal, toPublisher } from './access.ts';
import { PUBLISH_BURST, PUBLISH_BURST_SECONDS, PUBLISHES_PER_SECOND } from './limits.ts';
import type { CommitError } from './log/group-commit.ts';
import type { MarkLogStore } from './log/mark-log.ts';
import type { LogStore } from './log/store.ts';
import type { Streams } from './stream.ts';
import type { Bearer, Tokens } from './token.ts';

/** The parts of the server that the embedded engine uses. */
export interface RealtimeDeps {
  readonly sessions: Sessions;
  readonly store: LogStore;
  readonly marks: MarkLogStore;
  readonly log: Pick<Log, 'error'>;
  /** The server's secret, from which the key of the tokens is derived. */
  readonly secret: string;
  readonly authority: Authority;
  readonly channelTemplate: string;
  /** False for a well-formed client id that does not exist. */
  readonly hasClient: (clientId: string) => boolean;
  readonly countPublish: (outcome: PublishOutcome) => void;
  /** False if the person's account no longer exists: their session has then been ended. */
  readonly hasAccount: (c: ServerContext, session: SessionIdentity) => Promise<boolean>;
}

/** Counts one publish of a publisher, or refuses it for a while. */
type TakePublish = (publisher: string) => Promise<Result<void, Refusal>>;

/** What the handlers share. */
export interface Engine extends RealtimeDeps {
  readonly tokens: Tokens;
  readonly streams: Streams;
  readonly takePublish: TakePublish;
}

/** A steady rate, plus a burst for an outbox that was offline. */
export const createPublishLimit = (): TakePublish => {
  const limiter = new BurstyRateLimiter(
    new RateLimiterMemory({ points: PUBLISHES_PER_SECOND, duration: 1 }),
    new RateLimiterMemory({
      keyPrefix: 'burst',
      points: PUBLISH_BURST,
      duration: PUBLISH_BURST_SECONDS,
    }),
  );
  return async (publisher) => {
    const taken = await takeFrom(limiter, publisher);
    if (taken.ok) return ok(undefined);
    const { retryAfterMs } = taken;
    return fail({ status: 429, text: 'Too many messages at once.', retryAfterMs });
  };
};

export const refuse = (c: ServerContext, { status, text, retryAfterMs }: Refusal): Response => {
  const headers =
    retryAfterMs === undefined ? {} : { 'retry-after': toRetryAfter({ retryAfterMs }) };
  return answerError(c, status, text, headers);
};

const NOT_STORED: Refusal = {
  status: 503,
  text: 'The message could not be stored. Try again.',
  retryAfterMs: 1000,
};

/** The holder of the request's token; cookies are ignored here. */
export const findBearer = (
  { tokens, sessions }: Engine,
  c: ServerContext,
): Result<Bearer, Refusal> => {
  const [scheme, token] = (c.req.header('authorization') ?? '').split(' ');
  const bearer = scheme?.toLowerCase() === 'bearer' && token ? tokens.read(token) : undefined;
  const isRefused =
    bearer?.kind === 'staff' && (sessions.isDenied(bearer.sid) || sessions.isRefused(bearer.uid));
  return bearer === undefined || isRefused
    ? fail({ status: 401, text: 'The access token is missing, expired or not valid.' })
    : ok(bearer);
};

/**
 * Reads and stores a publish within the sender's rate; returns the timetoken once it is on disk.
 */
export const answerStored = async <Draft>(
  engine: Engine,
  c: ServerContext,
  steps: {
    readonly read: (bearer: Bearer) => Promise<Result<Draft, Refusal>>;
    readonly store: (draft: Draft) => Promise<Result<Timetoken, CommitError>>;
  },
): Promise<Response> => {
  const bearer = findBearer(engine, c);
  if (!bearer.ok) return refuse(c, bearer.error);
  const taken = await engine.takePublish(toPublisher(bearer.value));
  if (!taken.ok) {
    engine.countPublish('limited');
    return refuse(c, taken.error);
  }
  const draft = await steps.read(bearer.value);
  if (!draft.ok) {
    engine.countPublish('refused');
    return refuse(c, draft.error);
  }
  // The session may have ended while the body arrived.
  const still = findBearer(engine, c);
  if (!still.ok) return refuse(c, still.error);
  const stored = await steps.store(draft.value);
  engine.countPublish(stored.ok ? 'stored' : 'failed');
  if (stored.ok) return c.json({ timetoken: stored.value });
  engine.log.error({ reason: stored.error.detail }, 'a publish could not be stored');
  return refuse(c, NOT_STORED);
};
