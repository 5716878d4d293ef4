import type { AppError } from '#domain/errors.ts';
import type { Clock } from '#domain/ports.ts';
import { ok, type Result } from '#domain/result.ts';
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
  readonly renewAt: number;
}

export const createTokenSource = (web: Web, clock: Clock): TokenSource => {
  let kept: Kept | undefined;
  let asking: Promise<Result<string, AppError>> | undefined;
  const keep = ({ token, expires }: RealtimeToken) => {
    const now = clock.now();
    kept = { token, renewAt: now + Math.max((expires - now) / 2, TOKEN_KEPT_MIN_MS) };
  };
  const ask = (): Promise<Result<string, AppError>> => {
    const run = async () => {
      const answer = await requestJson(web, {
        path: '/api/realtime/token',
        parse: (value) => tokenAnswerSchema.safeParse(value).data,
      });
      // An answer that was on its way when the token was forgotten is not kept.
      const current = asking === asked;
      if (current) asking = undefined;
      if (!answer.ok) return answer;
      if (current) keep(answer.value);
      return ok(answer.value.token);
    };
    const asked = run();
    return asked;
  };
  return {
    get() {
      if (kept !== undefined && clock.now() < kept.renewAt) return Promise.resolve(ok(kept.token));
      asking ??= ask();
      return asking;
    },
    forget() {
      kept = undefined;
      asking = undefined;
    },
  };
};
