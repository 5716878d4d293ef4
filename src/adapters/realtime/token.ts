import type { AppError } from '#domain/errors.ts';
import type { Clock } from '#domain/ports/kit.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { type RealtimeToken, tokenAnswerSchema } from '#domain/schemas/realtime.ts';

import { TOKEN_KEPT_MIN_MS } from './limits.ts';
import { requestJson, type Web } from '../http/request-json.ts';

/** The realtime access token of the signed-in user. */
export interface TokenSource {
  /**
   * A token in the first half of its life, or an older one while no other is available; concurrent
   * callers share one request.
   */
  get(): Promise<Result<RealtimeToken, AppError>>;
  forget(): void;
}

interface Kept {
  readonly answer: RealtimeToken;
  readonly renewAt: number;
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
});

/** The second half of a token's life is a reserve for when no new one is available. */
const prolong = (kept: Kept | undefined, error: AppError, now: number): Kept | undefined =>
  kept === undefined || kept.answer.expires <= now || isAccessRefused(error)
    ? undefined
    : { ...kept, renewAt: Math.min(now + TOKEN_KEPT_MIN_MS, kept.answer.expires) };

export const createTokenSource = (web: Web, clock: Clock, findUid: FindUid): TokenSource => {
  let kept: Kept | undefined;
  let asking: Promise<Result<RealtimeToken, AppError>> | undefined;
  const outlast = (error: AppError): Result<RealtimeToken, AppError> => {
    const older = prolong(kept, error, clock.now());
    if (older === undefined || !isFor(findUid(), older.answer.uid)) return fail(error);
    kept = older;
    return ok(older.answer);
  };
  const ask = (): Promise<Result<RealtimeToken, AppError>> => {
    const run = async (): Promise<Result<RealtimeToken, AppError>> => {
      const answer = await requestJson(web, {
        path: '/api/realtime/token',
        parse: (value) => tokenAnswerSchema.safeParse(value).data,
      });
      // A response that was pending when the token was discarded is not cached.
      const current = asking === asked;
      if (current) asking = undefined;
      if (!answer.ok) return outlast(answer.error);
      if (!isFor(findUid(), answer.value.uid)) return fail({ kind: 'unauthenticated' });
      if (current) kept = toKept(answer.value, clock.now());
      return answer;
    };
    const asked = run();
    return asked;
  };
  return {
    get() {
      const isFresh = kept !== undefined && clock.now() < kept.renewAt;
      if (kept !== undefined && isFresh && isFor(findUid(), kept.answer.uid)) {
        return Promise.resolve(ok(kept.answer));
      }
      asking ??= ask();
      return asking;
    },
    forget() {
      kept = undefined;
      asking = undefined;
    },
  };
};
