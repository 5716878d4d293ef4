import { Hono } from 'hono';

import {
  answerError,
  serve,
  type ServerApp,
  type ServerContext,
  type ServerEnv,
} from '../http/answers.ts';
import type { AuthDeps } from './auth-deps.ts';
import type { SessionIdentity } from '../kernel/contracts.ts';
import { isFromOwnPage } from '../http/origins.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';
import type { SessionRecord } from '../sessions/session-store.ts';

export interface SessionsDeps extends AuthDeps {
  /** Undefined if sessions are not listed. */
  readonly registry: SessionRegistry | undefined;
}

/** Header for the token of `GET /api/auth/csrf`, because such requests have no form. */
const CSRF_HEADER = 'x-csrf-token';
const UNAVAILABLE = 'Sessions are not listed on this server';

const toPublic = ({ handle, device, since, seen }: SessionRecord, current: string) => ({
  handle,
  device,
  since,
  lastSeen: seen,
  current: handle === current,
});

/** The open sessions of the caller, or a 503 response if they cannot be read. */
const readList = async (
  { log }: SessionsDeps,
  registry: SessionRegistry,
  c: ServerContext,
  { user }: SessionIdentity,
): Promise<readonly SessionRecord[] | Response> => {
  try {
    return await registry.list(user.uid);
  } catch (error) {
    log.warn({ err: error }, 'sessions could not be listed');
    return answerError(c, 503, 'Sessions cannot be listed right now', { 'retry-after': '5' });
  }
};

/** `GET /api/sessions`: `{available, sessions}`, most recently used first; times in ms. */
const answerList = async (deps: SessionsDeps, c: ServerContext): Promise<Response> => {
  const session = await deps.sessions.read(c.req.raw);
  if (session === undefined) return answerError(c, 401, 'Sign in first');
  const { registry } = deps;
  if (registry === undefined) return c.json({ available: false, sessions: [] });
  const records = await readList(deps, registry, c, session);
  if (records instanceof Response) return records;
  const current = registry.toHandle(session.sid);
  const sessions = records.map((record) => toPublic(record, current));
  return c.json({ available: true, sessions });
};

/** Ends the sessions that `choose` selects: `{ended}`, their number; 404 if it selects none. */
const answerEnd = async (
  deps: SessionsDeps,
  c: ServerContext,
  choose: (record: SessionRecord, isCurrent: boolean) => boolean,
  isEmptyFine: boolean,
): Promise<Response> => {
  const { sessions, registry, csrf, origins, audit } = deps;
  const session = await sessions.read(c.req.raw);
  if (session === undefined) return answerError(c, 401, 'Sign in first');
  const token = c.req.header(CSRF_HEADER) ?? null;
  if (!isFromOwnPage(c.req.raw, origins) || !csrf.isValid(c.req.raw, session.sid, token)) {
    return answerError(c, 403, 'The request did not come from this page');
  }
  if (registry === undefined) return answerError(c, 501, UNAVAILABLE);
  const records = await readList(deps, registry, c, session);
  if (records instanceof Response) return records;
  const current = registry.toHandle(session.sid);
  const chosen = records.filter((record) => choose(record, record.handle === current));
  if (chosen.length === 0 && !isEmptyFine) return answerError(c, 404, 'There is no such session');
  await registry.end(session.user.uid, chosen);
  const { uid } = session.user;
  for (const _ of chosen) audit(c, { event: 'session.ended', uid, reason: 'another session' });
  return c.json({ ended: chosen.length });
};

/**
 * The open sessions of the caller, to be mounted at /api/sessions. `GET` lists them; `DELETE
 * ?others` ends all but the caller's; `DELETE /{handle}` ends one other (the caller's own ends
 * by signing out). 401 without a session, 403 without the token of this browser and session in
 * `x-csrf-token`, 404 for an unknown handle or another person's, 501 if sessions are not
 * listed, 503 while the list cannot be read.
 */
export const createSessionsRoutes = (deps: SessionsDeps): ServerApp => {
  const app = new Hono<ServerEnv>();
  serve(app, '/', {
    GET: (c) => answerList(deps, c),
    DELETE: (c) =>
      c.req.query('others') === undefined
        ? answerError(c, 400, 'Expected ?others')
        : answerEnd(deps, c, (_record, isCurrent) => !isCurrent, true),
  });
  serve(app, '/:handle', {
    DELETE: (c) =>
      answerEnd(
        deps,
        c,
        ({ handle }, isCurrent) => !isCurrent && handle === c.req.param('handle'),
        false,
      ),
  });
  return app;
};
