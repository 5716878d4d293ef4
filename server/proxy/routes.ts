import { Hono } from 'hono';

import { answerError, type ServerApp, type ServerEnv } from '../http/answers.ts';
import type { SessionService } from '../auth/sessions.ts';
import { STAFF_LISTS_PER_SESSION, STAFF_LISTS_WINDOW_MS } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import { createMemoryLimiter, takeFrom, toRetryAfter } from '../limiting/limiters.ts';
import { answerStaffFailure } from './staff-failure.ts';
import type { StaffList, StaffSource } from './staff-source.ts';

/** The whole allow-list, compared with the path as sent, before anything decodes or resolves it. */
const PATHS: ReadonlyMap<string, StaffList> = new Map([
  ['/api/proxy/staff/teams', 'teams'],
  ['/api/proxy/staff/producers', 'producers'],
]);

export interface ProxyDeps {
  readonly sessions: SessionService;
  readonly source: StaffSource;
  readonly log: Log;
}

/**
 * `GET /api/proxy/staff/teams` and `/producers`: 200 JSON for a session, else 401; also 401 if
 * `x-user` names another user than the session's, so that no page stores another user's list; 404
 * for any other path, 405 for any other method, 429 after too many requests; failures of the
 * product API as in `answerStaffFailure`. To be mounted at /api/proxy.
 */
export const createProxyRoutes = ({ sessions, source, log }: ProxyDeps): ServerApp => {
  const app = new Hono<ServerEnv>();
  const limiter = createMemoryLimiter({
    name: 'staff-lists',
    points: STAFF_LISTS_PER_SESSION,
    windowMs: STAFF_LISTS_WINDOW_MS,
  });
  app.all('*', async (c) => {
    const [path = ''] = (c.env.incoming.url ?? '').split('?');
    const list = PATHS.get(path);
    if (list === undefined) return answerError(c, 404, 'Not found');
    // Hono serves HEAD as GET; here the method as sent decides.
    if (c.env.incoming.method !== 'GET')
      return answerError(c, 405, 'Expected GET', { allow: 'GET' });
    const session = await sessions.read(c.req.raw);
    const wanted = c.req.header('x-user');
    if (session === undefined) return answerError(c, 401, 'Sign in first');
    if (wanted !== undefined && wanted !== encodeURIComponent(session.user.uid)) {
      return answerError(c, 401, 'Another user is signed in');
    }
    const taken = await takeFrom(limiter, session.sid);
    if (!taken.ok) {
      return answerError(c, 429, 'Too many requests', { 'retry-after': toRetryAfter(taken) });
    }
    const answer = await source[list](session);
    return answer.ok
      ? c.json(answer.value)
      : answerStaffFailure(c, { list, session, sessions, log, error: answer.error });
  });
  return app;
};
