import { join } from 'node:path';

import { fail, ok, type Result } from '#domain/result.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';

import type { ServerApp } from '../http/answers.ts';
import { createCookies } from '../auth/cookies.ts';
import { createCsrf } from '../auth/csrf.ts';
import { createDeviceCookie } from '../auth/device-cookie.ts';
import { createPersonalKeys } from '../auth/personal-keys.ts';
import { createSessionSeal } from '../auth/session-seal.ts';
import { createSessions } from '../auth/sessions.ts';
import { type Services, type EngineParts, openServices } from './services.ts';
import type { Config } from '../config/config.ts';
import { createDeniedSessions } from '../denied/denied-sessions.ts';
import { createApp } from './http.ts';
import { createSignInLimiter } from '../limiting/sign-in-limiter.ts';
import type { Authority } from '../kernel/contracts.ts';
import type { Log } from '../kernel/log.ts';
import { auditSessions, createAudit } from '../observe/audit.ts';
import { createMetrics, noMetrics } from '../observe/metrics.ts';
import type { Origins } from '../http/origins.ts';
import { ensureSecret } from '../kernel/secret.ts';
import { createSessionRegistry } from '../sessions/session-registry.ts';
import { PREVIOUS_ASSETS_FOLDER } from '../static/previous-assets.ts';
import { createStaticFiles } from '../static/static-files.ts';

/** The settings, addresses and logs of one server. */
export interface ServerSetup {
  readonly config: Config;
  readonly origins: Origins;
  readonly log: Log;
  /** Writes level 30 at every level of `log`. */
  readonly auditLog: Log;
  readonly version: string;
  readonly dist: string;
}

/** The assembled server, not listening on a port yet. */
export interface ServerParts {
  readonly app: ServerApp;
  readonly isDemo: boolean;
  /** From now on `/api/health` answers 503, and streams end, so that readers connect elsewhere. */
  stopServing(): void;
  /** Writes pending data within a bounded time and releases the data folder. */
  close(): Promise<void>;
}

const createSessionParts = (
  { config, origins, log, auditLog }: ServerSetup,
  { deniedStore, openSessionStore, createLimiter, refusedUids }: Services,
  { secret, metrics }: Pick<EngineParts, 'secret' | 'metrics'>,
) => {
  const now = Date.now;
  const cookies = createCookies(origins.isSecure);
  const denied = createDeniedSessions(deniedStore, { now, log });
  const authority: Authority =
    config.apiBaseUrl === undefined ? 'embedded accounts' : 'product API';
  const previous = config.authSecretPrevious;
  const seal = createSessionSeal(secret, authority, previous);
  const idleMs = config.sessionMaxAgeMs;
  const audit = createAudit(auditLog, origins, (outcome) => metrics.countSignIn(outcome));
  const sessionStore = openSessionStore?.(secret);
  const registry =
    sessionStore && createSessionRegistry({ store: sessionStore, denied, idleMs, now, log });
  const sessions = auditSessions(
    createSessions({ seal, denied, refusedUids, registry, cookies, idleMs, now }),
    audit,
  );
  const parts = {
    sessions,
    registry,
    csrf: createCsrf(secret, cookies, previous),
    device: createDeviceCookie(secret, cookies, now),
    findPersonalKeys: createPersonalKeys(previous ? [secret, previous] : [secret], authority),
    limitSignIns: createSignInLimiter({ createLimiter, secret, log }),
    authority,
    audit,
    now,
  } as const;
  return { denied, cookies, parts };
};

const toPublicConfig = ({ config, version }: ServerSetup, demo: boolean): PublicConfig => {
  const { channelTemplate, roomDescriptions, sessionPollSeconds, hosted } = config;
  const common = { version, demo, channelTemplate, roomDescriptions, sessionPollSeconds };
  if (hosted === undefined) return { ...common, engine: 'embedded' };
  const { secretKey: _secret, ...keys } = hosted;
  return { ...common, engine: 'hosted', ...keys };
};

const openMetrics = ({ config: { metricsToken }, version }: ServerSetup) =>
  metricsToken === undefined
    ? { metrics: noMetrics, showMetrics: undefined }
    : createMetrics(metricsToken, version);

const assemble = (setup: ServerSetup, services: Services): ServerParts => {
  const { config, origins, log } = setup;
  const secret = ensureSecret(config, log);
  const { metrics, showMetrics } = openMetrics(setup);
  const {
    denied,
    cookies,
    parts: session,
  } = createSessionParts(setup, services, { secret, metrics });
  metrics.show('denied_sessions', () => denied.count());
  if (services.measure !== undefined) metrics.show('database_bytes', services.measure);
  const { check, staff, isDemo } = services;
  const realtime = services.createRealtime({ ...session, secret, metrics });
  let isReady = true;
  const app = createApp({
    ...session,
    check,
    staff,
    origins,
    log,
    metrics,
    showMetrics,
    realtime: realtime.routes,
    publicConfig: toPublicConfig(setup, isDemo),
    page: createStaticFiles({
      dist: setup.dist,
      previousAssets: join(config.dataDir, PREVIOUS_ASSETS_FOLDER),
      hasSession: (request) => cookies.find(request, 'session') !== undefined,
      log,
    }),
    isReady: () => isReady,
  });
  const stopServing = (): void => {
    isReady = false;
    realtime.close();
  };
  const close = async (): Promise<void> => {
    await session.registry?.close();
    await denied.close();
    services.close();
  };
  return { app, isDemo, stopServing, close };
};

/** Opens the services and builds the server on them, or returns the reason why not. */
export const composeServer = async (setup: ServerSetup): Promise<Result<ServerParts, string>> => {
  const services = await openServices(setup.config, setup.log);
  if (!services.ok) return services;
  try {
    return ok(assemble(setup, services.value));
  } catch (thrown) {
    services.value.close();
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return fail(`The server cannot start on ${setup.config.dataDir}: ${reason}`);
  }
};
