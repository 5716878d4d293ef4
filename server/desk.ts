import { join } from 'node:path';

import { fail, ok, type Result } from '#domain/result.ts';
import type { PublicConfig } from '#domain/schemas/config.ts';

import type { ServerApp } from './answers.ts';
import { createCookies } from './auth/cookies.ts';
import { createApiCheck, createEmbeddedCheck } from './auth/credentials.ts';
import { createCsrf } from './auth/csrf.ts';
import { createDeniedSessions, createSqlDeniedStore } from './auth/denied-sessions.ts';
import { createSessionSeal } from './auth/session-seal.ts';
import { createSessions, type SessionDesk } from './auth/sessions.ts';
import type { Config } from './config.ts';
import { type Embedded, openEmbedded } from './embedded/open.ts';
import { createApp } from './http.ts';
import type { Log } from './log.ts';
import type { Origins } from './origins.ts';
import { createApiSource, createEmbeddedSource } from './proxy/staff-source.ts';
import { createRealtimeRoutes, type RealtimeRoutes } from './realtime/routes.ts';
import { ensureSecret } from './secret.ts';
import { KEPT_ASSETS_FOLDER } from './static/kept-assets.ts';
import { createStaticFiles } from './static/static-files.ts';

/** Where the desk lives and what it is called. */
export interface DeskPlace {
  readonly config: Config;
  readonly origins: Origins;
  readonly log: Log;
  readonly version: string;
  readonly dist: string;
}

/** The assembled server, behind no port yet. */
export interface Desk {
  readonly app: ServerApp;
  readonly isDemo: boolean;
  /** From now on `/api/health` is 503, and streams end, so that their readers go elsewhere. */
  stopServing(): void;
  /** Writes what waits and gives the data folder back. */
  close(): void;
}

const openData = (config: Config): ReturnType<typeof openEmbedded> => {
  const isAllEmbedded = config.apiBaseUrl === undefined;
  return openEmbedded(config.dataDir, {
    seedDemo: isAllEmbedded ? (config.demo ?? 'when-new') : false,
  });
};

/** Accounts, clients and staff: the product API's where there is one, else the embedded ones. */
const chooseStaff = ({ apiBaseUrl }: Config, { accounts, staffData }: Embedded) =>
  apiBaseUrl === undefined
    ? {
        check: createEmbeddedCheck(accounts),
        staff: createEmbeddedSource(staffData),
        hasClient: (clientId: string) => staffData.hasClient(clientId),
      }
    : {
        check: createApiCheck(apiBaseUrl),
        staff: createApiSource(apiBaseUrl),
        // The product API knows its clients; any well-formed id may be one of them.
        hasClient: () => true,
      };

const createSessionParts = ({ config, origins }: DeskPlace, { sql }: Embedded, secret: string) => {
  const now = Date.now;
  const cookies = createCookies(origins.isSecure);
  const denied = createDeniedSessions(createSqlDeniedStore(sql, now), now);
  const seal = createSessionSeal(secret);
  const idleMs = config.sessionMaxAgeMs;
  const sessions: SessionDesk = createSessions({ seal, denied, cookies, idleMs, now });
  return { sessions, csrf: createCsrf(secret, cookies), now };
};

const toPublicConfig = ({ config, version }: DeskPlace, demo: boolean): PublicConfig => ({
  version,
  demo,
  engine: 'embedded',
  channelTemplate: config.channelTemplate,
  sessionPollSeconds: config.sessionPollSeconds,
});

const assemble = (place: DeskPlace, data: Embedded): Desk => {
  const { config, origins, log } = place;
  const secret = ensureSecret(config);
  const { hasClient, ...staff } = chooseStaff(config, data);
  const session = createSessionParts(place, data, secret);
  const isDemo = data.hasDemo && config.demo !== false && config.apiBaseUrl === undefined;
  const { sessions } = session;
  const { store } = data;
  const { channelTemplate } = config;
  const realtime: RealtimeRoutes = createRealtimeRoutes({
    sessions,
    store,
    log,
    secret,
    channelTemplate,
    hasClient,
  });
  let isReady = true;
  const app = createApp({
    ...session,
    ...staff,
    origins,
    log,
    realtime: realtime.routes,
    publicConfig: toPublicConfig(place, isDemo),
    files: createStaticFiles({
      dist: place.dist,
      keptAssets: join(config.dataDir, KEPT_ASSETS_FOLDER),
      log,
    }),
    isReady: () => isReady,
  });
  const stopServing = (): void => {
    isReady = false;
    realtime.close();
  };
  return { app, isDemo, stopServing, close: () => data.close() };
};

/** Opens the data folder and builds everything on it, or says why it cannot be used. */
export const openDesk = async (place: DeskPlace): Promise<Result<Desk, string>> => {
  const data = await openData(place.config);
  if (!data.ok) return fail(data.error.message);
  try {
    return ok(assemble(place, data.value));
  } catch (thrown) {
    data.value.close();
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return fail(`The server cannot start on ${place.config.dataDir}: ${reason}`);
  }
};
