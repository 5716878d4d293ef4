import { randomUUID } from 'node:crypto';

import { type Handler, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { timeout } from 'hono/timeout';

import type { PublicConfig } from '#domain/schemas/config.ts';

import {
  answerError,
  isCutOff,
  isOutOfFiles,
  serve,
  type ServerApp,
  type ServerContext,
  type ServerEnv,
} from '../http/answers.ts';
import { createAuthRoutes } from '../auth/routes.ts';
import { AUTH_BASE } from '../auth/url-answer.ts';
import { auditEarlyRefusals } from '../observe/audit.ts';
import { BODY_BYTES_MAX, HANDLER_TIMEOUT_MS } from '../kernel/limits.ts';
import { countRequests, type Metrics } from '../observe/metrics.ts';
import { createPolicyReportHandler, POLICY_REPORTS_PATH } from '../http/policy-reports.ts';
import type { Origins } from '../http/origins.ts';
import { createProxyRoutes } from '../proxy/routes.ts';
import type { StaffSource } from '../proxy/staff-source.ts';
import { createSessionsRoutes, type SessionsDeps } from '../auth/open-sessions.ts';
import { createThrottledLog, type Log } from '../kernel/log.ts';

/** The parts of the app. */
export interface AppDeps extends SessionsDeps {
  readonly staff: StaffSource;
  readonly publicConfig: PublicConfig;
  /** The engine's routes, mounted at /api/realtime. */
  readonly realtime: ServerApp;
  /** The built page, mounted at /. */
  readonly page: ServerApp;
  readonly metrics: Metrics;
  /** Undefined: the path does not exist. */
  readonly showMetrics: Handler<ServerEnv> | undefined;
  /** False after the stop signal: load balancers then send no more requests. */
  readonly isReady: () => boolean;
}

/** Its response stays open for hours. */
const STREAM_PATH = '/api/realtime/stream';

/** Balancers and Prometheus request these by IP address; pages do not use them. */
const UNDER_ANY_NAME: ReadonlySet<string> = new Set(['/api/health', '/api/metrics']);

/** A page under another name would have its own origin, which the owner of that name controls. */
const refuseForeignNames =
  (origins: Origins): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    const names = [c.env.incoming.headers.host ?? '', new URL(c.req.url).host];
    const isServed =
      UNDER_ANY_NAME.has(c.req.path) || names.every((name) => origins.isServed(name));
    return isServed ? next() : answerError(c, 421, `This is not ${origins.main}`);
  };

const refuseBody = (c: ServerContext): Response =>
  answerError(c, 413, `The body is over ${BODY_BYTES_MAX} bytes`);

const countBody = bodyLimit({ maxSize: BODY_BYTES_MAX, onError: refuseBody });

/**
 * Bounds request bodies. Only a chunked body is counted as it arrives, which costs a web stream;
 * any other is exactly as long as its header states (RFC 9112 §6.3), or empty without one.
 */
const limitBody: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const { headers } = c.env.incoming;
  if (headers['transfer-encoding'] !== undefined) return countBody(c, next);
  return Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX ? refuseBody(c) : next();
};

/** Rules for every path under /api: no caching, limits on body size and time. */
const guardApi = (app: ServerApp): void => {
  const limitTime = timeout(HANDLER_TIMEOUT_MS, new HTTPException(504, { message: 'Timed out' }));
  app.use('/api/*', async (c, next) => {
    c.header('cache-control', 'no-store');
    return c.req.path === STREAM_PATH ? next() : limitTime(c, next);
  });
  app.use('/api/*', limitBody);
};

const mountApi = (app: ServerApp, deps: AppDeps): void => {
  const { version } = deps.publicConfig;
  serve(app, '/api/health', {
    GET: (c) =>
      deps.isReady()
        ? c.json({ status: 'ok', version })
        : c.json({ status: 'stopping', error: 'Not ready', version }, 503),
  });
  serve(app, '/api/config', { GET: (c) => c.json(deps.publicConfig) });
  if (deps.showMetrics !== undefined) serve(app, '/api/metrics', { GET: deps.showMetrics });
  serve(app, POLICY_REPORTS_PATH, { POST: createPolicyReportHandler(deps) });
  app.route(AUTH_BASE, createAuthRoutes(deps));
  app.route('/api/sessions', createSessionsRoutes(deps));
  app.route('/api/proxy', createProxyRoutes({ ...deps, source: deps.staff }));
  app.route('/api/realtime', deps.realtime);
  app.all('/api/*', (c) => answerError(c, 404, 'Not found'));
};

/** Assigns the request id, for `x-request-id` and for every log line about the request. */
const assignRequestIds: MiddlewareHandler<ServerEnv> = async (c, next) => {
  const requestId = randomUUID();
  c.set('requestId', requestId);
  // Set on Node's own response, so that streams and files have it too.
  c.env.outgoing.setHeader('x-request-id', requestId);
  await next();
};

/**
 * One line per response: method, path without its query, status, ms. 500 is a fault of this
 * server (level 50). 501 means that this server lists no sessions, 502 that another service failed,
 * 503 that this server is stopping, could not store something or has too many open files, and 504
 * that another service or this server took too long (all at level 40).
 */
const logRequests =
  (log: Log): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    const begin = performance.now();
    await next();
    const fields = {
      requestId: c.get('requestId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(performance.now() - begin),
    };
    if (c.res.status === 500) log.error(fields, 'request');
    else if (c.res.status > 500) log.warn(fields, 'request');
    else log.debug(fields, 'request');
  };

/** The whole server: the endpoints under /api, then the built page. */
export const createApp = (deps: AppDeps): ServerApp => {
  const app = new Hono<ServerEnv>();
  app.use(assignRequestIds);
  app.use(logRequests(deps.log));
  app.use(countRequests(deps.metrics));
  for (const path of ['callback', 'signin']) {
    app.use(`${AUTH_BASE}/${path}/*`, auditEarlyRefusals(deps.audit, 'sign-in'));
  }
  app.use(`${AUTH_BASE}/signout`, auditEarlyRefusals(deps.audit, 'sign-out'));
  app.use(refuseForeignNames(deps.origins));
  guardApi(app);
  mountApi(app, deps);
  app.route('/', deps.page);
  const logFull = createThrottledLog((fields) => deps.log.warn(fields, 'too many files are open'));
  app.onError((thrown, c) => {
    if (thrown instanceof HTTPException) {
      return answerError(c, thrown.status, thrown.message);
    }
    if (isCutOff(c)) return answerError(c, 400, 'The request was cut off');
    if (isOutOfFiles(thrown)) {
      logFull({ err: thrown });
      // Drops the headers of the file, such as its length.
      c.res = undefined;
      const headers = { 'retry-after': '1', 'cache-control': 'no-store' };
      return Response.json({ error: 'Too many files are open' }, { status: 503, headers });
    }
    const requestId = c.get('requestId');
    deps.log.error({ err: thrown, path: c.req.path, requestId }, 'handler failed');
    return answerError(c, 500, 'Internal error');
  });
  return app;
};
