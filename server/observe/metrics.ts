import { createHash, timingSafeEqual } from 'node:crypto';

import type { Handler, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import { answerError, type ServerContext, type ServerEnv } from '../http/answers.ts';
import { AUDIT_OUTCOMES, type AuditOutcome } from './audit.ts';

/** The outcome of a publish; `refused`: the sender's fault, `failed`: the disk's. */
export type PublishOutcome = 'stored' | 'refused' | 'limited' | 'failed';
const PUBLISH_OUTCOMES: readonly PublishOutcome[] = ['stored', 'refused', 'limited', 'failed'];

/** Metrics for the operator, listed in docs/operation.md. */
export interface Metrics {
  countRequest(c: ServerContext): void;
  countSignIn(outcome: AuditOutcome): void;
  /** Reads a number at every request for the metrics. */
  show(name: 'open_streams' | 'denied_sessions' | 'database_bytes', read: () => number): void;
  /** Counters of an engine that this process runs. */
  startEngine(): EngineMetrics;
}

export interface EngineMetrics {
  countPublish(outcome: PublishOutcome): void;
  timeCommit(seconds: number): void;
}

/** Metrics that record nothing, for servers without metrics. */
export const noMetrics: Metrics = {
  countRequest: () => undefined,
  countSignIn: () => undefined,
  show: () => undefined,
  startEngine: () => ({ countPublish: () => undefined, timeCommit: () => undefined }),
};

const PREFIX = 'replay_desk_';
/** Seconds: from a fast disk's flush to the timeout of a publish. */
const COMMIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE']);
/** The route pattern that answered: a path that a client makes up never becomes a label. */
const toRoute = (c: ServerContext): string => {
  const pattern = routePath(c);
  return pattern.startsWith('/api') ? pattern : 'page';
};

const HELP = {
  open_streams: 'Open streams of the embedded engine',
  denied_sessions: 'Sessions that were ended before they expired',
  database_bytes: 'Size of the SQLite database with its write-ahead log',
};

const createRequestCounter = (registry: Registry) => {
  const requests = new Counter({
    name: `${PREFIX}requests_total`,
    help: 'Requests by method, route pattern and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  // Without labels it is 0 from the start, so that an alert sees the first one.
  const faults = new Counter({
    name: `${PREFIX}faults_total`,
    help: 'Requests that failed in this server (status 500)',
    registers: [registry],
  });
  return (c: ServerContext): void => {
    const { method } = c.req;
    const known = METHODS.has(method) ? method : 'other';
    requests.inc({ method: known, route: toRoute(c), status: c.res.status });
    if (c.res.status === 500) faults.inc();
  };
};

/** A counter by outcome, with each at 0 from the start: a rate needs a first value. */
const createOutcomes = <Outcome extends string>(
  registry: Registry,
  { name, help, outcomes }: { name: string; help: string; outcomes: readonly Outcome[] },
): ((outcome: Outcome) => void) => {
  const labelNames = ['outcome'];
  const counter = new Counter({ name: PREFIX + name, help, labelNames, registers: [registry] });
  for (const outcome of outcomes) counter.inc({ outcome }, 0);
  return (outcome) => counter.inc({ outcome });
};

const createEngineMetrics = (registry: Registry): EngineMetrics => {
  const commits = new Histogram({
    name: `${PREFIX}commit_seconds`,
    help: 'Duration of a durable transaction of the log',
    buckets: COMMIT_BUCKETS,
    registers: [registry],
  });
  return {
    countPublish: createOutcomes(registry, {
      name: 'publishes_total',
      help: 'Publishes by outcome',
      outcomes: PUBLISH_OUTCOMES,
    }),
    timeCommit: (seconds) => commits.observe(seconds),
  };
};

const toDigest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `GET /api/metrics`: the Prometheus text format for requests with the token; else 401. */
const createMetricsHandler = (registry: Registry, token: string): Handler<ServerEnv> => {
  const expected = toDigest(`Bearer ${token}`);
  return async (c) => {
    const given = toDigest(c.req.header('authorization') ?? '');
    if (!timingSafeEqual(given, expected)) {
      const headers = { 'www-authenticate': 'Bearer' };
      return answerError(c, 401, 'Expected the metrics token', headers);
    }
    return c.body(await registry.metrics(), 200, { 'content-type': registry.contentType });
  };
};

/** Metrics of one server, with their handler. */
export const createMetrics = (
  token: string,
  version: string,
): { readonly metrics: Metrics; readonly showMetrics: Handler<ServerEnv> } => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const build = { name: `${PREFIX}build_info`, help: 'Always 1, with the version as a label' };
  new Gauge({ ...build, labelNames: ['version'], registers: [registry] }).set({ version }, 1);
  const metrics: Metrics = {
    countRequest: createRequestCounter(registry),
    countSignIn: createOutcomes(registry, {
      name: 'sign_ins_total',
      help: 'Sign-in attempts by outcome',
      outcomes: AUDIT_OUTCOMES,
    }),
    show: (name, read) => {
      const collect = function (this: Gauge): void {
        this.set(read());
      };
      return void new Gauge({
        name: PREFIX + name,
        help: HELP[name],
        registers: [registry],
        collect,
      });
    },
    startEngine: () => createEngineMetrics(registry),
  };
  return { metrics, showMetrics: createMetricsHandler(registry, token) };
};

/** Counts every answer. */
export const countRequests =
  (metrics: Metrics): MiddlewareHandler<ServerEnv> =>
  async (c, next) => {
    await next();
    metrics.countRequest(c);
  };
