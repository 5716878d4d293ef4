import type { AppError } from '#domain/errors.ts';
import type { Clock } from '#domain/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { type RealtimeToken, tokenAnswerSchema } from '#domain/schemas/realtime.ts';

import { TOKEN_KEPT_MIN_MS } from './realtime-limits.ts';
import { requestJson, type Web } from './request-json.ts';

/** The realtime access token of the signed-in user. */
export interface TokenSource {
  /** A token in its first half of life; callers at the same time share one request. */
  get(): Promise<Result<RealtimeToken, AppError>>;
  forget(): void;
}

interface Kept {
  readonly answer: RealtimeToken;
  readonly renewAt: number;
}

/**
 * Whose token is wanted. The session's cookie belongs to all tabs, so that after a sign-in
 * elsewhere the server may answer with somebody else's token: that one is never used.
 */
export type FindUid = () => string | undefined;

/** A call refused for want of access says nothing about what it would have carried. */
export const toAccessError = (error: AppError): AppError =>
  error.kind === 'rejected' ? { kind: 'malformed', detail: `access: ${error.status}` } : error;

const isFor = (wanted: string | undefined, uid: string | undefined): boolean =>
  wanted === undefined || uid === undefined || wanted === uid;

export const createTokenSource = (web: Web, clock: Clock, findUid: FindUid): TokenSource => {
  let kept: Kept | undefined;
  let asking: Promise<Result<RealtimeToken, AppError>> | undefined;
  const keep = (answer: RealtimeToken) => {
    const now = clock.now();
    kept = { answer, renewAt: now + Math.max((answer.expires - now) / 2, TOKEN_KEPT_MIN_MS) };
  };
  const ask = (): Promise<Result<RealtimeToken, AppError>> => {
    const run = async (): Promise<Result<RealtimeToken, AppError>> => {
      const answer = await requestJson(web, {
        path: '/api/realtime/token',
        parse: (value) => tokenAnswerSchema.safeParse(value).data,
      });
      // An answer that was on its way when the token was forgotten is not kept.
      const current = asking === asked;
      if (current) asking = undefined;
      if (!answer.ok) return answer;
      if (!isFor(findUid(), answer.value.uid)) return fail({ kind: 'unauthenticated' });
      if (current) keep(answer.value);
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
