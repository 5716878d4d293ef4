import type { AppError } from '#domain/errors.ts';
import type { Clock } from '#domain/ports/kit.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { type RealtimeToken, tokenAnswerSchema } from '#domain/schemas/realtime.ts';

import { TOKEN_KEPT_MIN_MS } from './limits.ts';
import { requestJson, type Web } from '../http/request-json.ts';

/** The realtime access token of the signed-in user. Concurrent callers share one request. */
export interface TokenSource {
  /** The current token; in the second half of its life, a new one is requested meanwhile. */
  get(): Promise<Result<RealtimeToken, AppError>>;
  /** A new token, or the current one if no new one is available. */
  renew(): Promise<Result<RealtimeToken, AppError>>;
  /** The engine refused the token: it is used again only if no new one is available. */
  forget(): void;
}

interface Kept {
  readonly answer: RealtimeToken;
  readonly renewAt: number;
  readonly isRefused: boolean;
}

/**
 * The user whose token is needed. All tabs share the session cookie, so that after a sign-in
 * elsewhere the server may return another user's token: that one is never used.
 */
export type FindUid = () => string | undefined;

/** A call refused for lack of access says nothing about its content. */
export const toAccessError = (error: AppError): AppError =>
  error.kind === 'rejected' ? { kind: 'malformed', detail: `access: ${error.status}` } : error;

/** A person who may not request a token may not use an older one either. */
const isAccessRefused = ({ kind }: AppError): boolean =>
  kind === 'unauthenticated' || kind === 'forbidden';

const isFor = (wanted: string | undefined, uid: string | undefined): boolean =>
  wanted === undefined || uid === undefined || wanted === uid;

const toKept = (answer: RealtimeToken, now: number): Kept => ({
  answer,
  renewAt: now + Math.max((answer.expires - now) / 2, TOKEN_KEPT_MIN_MS),
  isRefused: false,
});

/** The second half of a token's life is a reserve for when no new one is available. */
const prolong = (kept: Kept | undefined, error: AppError, now: number): Kept | undefined =>
  kept === undefined || kept.answer.expires <= now || isAccessRefused(error)
    ? undefined
    : { ...kept, renewAt: Math.min(now + TOKEN_KEPT_MIN_MS, kept.answer.expires) };

export const createTokenSource = (web: Web, clock: Clock, findUid: FindUid): TokenSource => {
  let kept: Kept | undefined;
  let asking: Promise<Result<RealtimeToken, AppError>> | undefined;
  const findKept = (): Kept | undefined =>
    kept !== undefined && isFor(findUid(), kept.answer.uid) ? kept : undefined;
  const ask = (): Promise<Result<RealtimeToken, AppError>> => {
    const run = async (): Promise<Result<RealtimeToken, AppError>> => {
      const answer = await requestJson(web, {
        path: '/api/realtime/token',
        parse: (value) => tokenAnswerSchema.safeParse(value).data,
      });
      const isOurs = !answer.ok || isFor(findUid(), answer.value.uid);
      const next = isOurs ? answer : fail({ kind: 'unauthenticated' } as const);
      const older = next.ok ? undefined : prolong(findKept(), next.error, clock.now());
      // A response that was pending when the token was refused is not cached.
      if (asking === asked) {
        asking = undefined;
        kept = next.ok ? toKept(next.value, clock.now()) : older;
      }
      return older === undefined ? next : ok(older.answer);
    };
    const asked = run();
    return asked;
  };
  const renew = () => (asking ??= ask());
  return {
    get() {
      const own = findKept();
      const now = clock.now();
      if (own === undefined || own.isRefused) return renew();
      if (now < own.renewAt) return Promise.resolve(ok(own.answer));
      // A request that hangs must not stop the calls that need no new token yet.
      const renewed = renew();
      return now < own.answer.expires ? Promise.resolve(ok(own.answer)) : renewed;
    },
    renew,
    forget() {
      kept &&= { ...kept, isRefused: true };
      asking = undefined;
    },
  };
};
