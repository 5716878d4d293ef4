import type { AppError } from '#domain/errors.ts';
import type { Clock } from '#domain/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import { type RealtimeToken, tokenAnswerSchema } from '#domain/schemas/realtime.ts';

import { TOKEN_KEPT_MIN_MS } from './limits.ts';
import { requestJson, type Web } from './request-json.ts';

/** The realtime access token of the signed-in user. */
export interface TokenSource {
  /** A token in its first half of life; callers at the same time share one request. */
  get(): Promise<Result<string, AppError>>;
  forget(): void;
}

interface Kept {
  readonly token: string;
  readonly uid: string | undefined;
  readonly renewAt: number;
}

/**
 * Whose token is wanted. The session's cookie belongs to all tabs, so that after a sign-in
 * elsewhere the server may answer with somebody else's token: that one is never used.
 */
export type FindUid = () => string | undefined;

const isFor = (wanted: string | undefined, uid: string | undefined): boolean =>
  wanted === undefined || uid === undefined || wanted === uid;

export const createTokenSource = (web: Web, clock: Clock, findUid: FindUid): TokenSource => {
  let kept: Kept | undefined;
  let asking: Promise<Result<string, AppError>> | undefined;
  const keep = ({ token, expires, uid }: RealtimeToken) => {
    const now = clock.now();
    kept = { token, uid, renewAt: now + Math.max((expires - now) / 2, TOKEN_KEPT_MIN_MS) };
  };
  const ask = (): Promise<Result<string, AppError>> => {
    const run = async (): Promise<Result<string, AppError>> => {
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
      return ok(answer.value.token);
    };
    const asked = run();
    return asked;
  };
  return {
    get() {
      const isFresh = kept !== undefined && clock.now() < kept.renewAt;
      if (kept !== undefined && isFresh && isFor(findUid(), kept.uid)) {
        return Promise.resolve(ok(kept.token));
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
