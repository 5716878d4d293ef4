import type { AppError } from '#domain/errors.ts';
import type { OpenSessionsApi } from '#domain/ports/network.ts';
import { ok, type Result } from '#domain/result.ts';
import { openSessionsSchema } from '#domain/schemas/open-session.ts';
import { csrfAnswerSchema } from '#domain/schemas/session.ts';

import { requestJson, type Web } from './request-json.ts';

const PATH = '/api/sessions';

/** A session that ended meanwhile is already in the requested state. */
const GONE = 404;

const end = async (
  web: Web,
  path: string,
  cancel: AbortSignal,
): Promise<Result<void, AppError>> => {
  const csrf = await requestJson(web, {
    path: '/api/auth/csrf',
    parse: (value) => csrfAnswerSchema.safeParse(value).data?.csrfToken,
    cancel,
  });
  if (!csrf.ok) return csrf;
  const answer = await requestJson(web, {
    path,
    method: 'DELETE',
    headers: { 'x-csrf-token': csrf.value },
    answers: [GONE],
    parse: (value) => ({ value }),
    cancel,
  });
  return answer.ok ? ok(undefined) : answer;
};

/** `GET` and `DELETE /api/sessions`. */
export const createOpenSessionsApi = (web: Web): OpenSessionsApi => ({
  list: (cancel) =>
    requestJson(web, {
      path: PATH,
      parse: (value) => openSessionsSchema.safeParse(value).data,
      cancel,
    }),
  end: (handle, cancel) => end(web, `${PATH}/${encodeURIComponent(handle)}`, cancel),
  endOthers: (cancel) => end(web, `${PATH}?others`, cancel),
});
