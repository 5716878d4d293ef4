import { setTimeout } from 'node:timers/promises';

import { fail, ok, type Result } from '#domain/result.ts';
import { toEpochMs } from '#domain/timetoken.ts';

import { type CheckCredentials, createApiCheck, createEmbeddedCheck } from '../auth/credentials.ts';
import type { SessionService } from '../auth/sessions.ts';
import { allowsDemo, type Config, type HostedKeyset } from '../config/config.ts';
import { createSqlDeniedStore, noopDeniedStore } from '../denied/denied-sessions.ts';
import type { DeniedStore } from '../denied/denied-store.ts';
import { createSharedDeniedStore } from '../denied/shared-denials.ts';
import { createFolderDeniedStore } from '../denied/sign-out-folder.ts';
import { toReason } from '../kernel/embedded-error.ts';
import { DEMO_ACCOUNTS } from '../embedded/demo/people.ts';
import { type Embedded, measureDatabase, openEmbedded } from '../embedded/open.ts';
import { createHostedRoutes } from '../hosted/routes.ts';
import type { ServerContext } from '../http/answers.ts';
import { type CreateLimiter, createMemoryLimiter, takeFrom } from '../limiting/limiters.ts';
import type { Authority, SessionIdentity } from '../kernel/contracts.ts';
import { ACCOUNT_CHECK_EVERY_MS, ACCOUNT_CHECK_MS_MAX } from '../kernel/limits.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { logStaffFailure } from '../proxy/staff-failure.ts';
import { createApiSource, createEmbeddedSource, type StaffSource } from '../proxy/staff-source.ts';
import { createRealtimeRoutes, type RealtimeRoutes } from '../realtime/routes.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { createSharedSessionStore } from '../sessions/shared-session-store.ts';
import { createSqlSessionStore } from '../sessions/sql-session-store.ts';
import { openSharedStore } from '../shared/shared-store.ts';

/** The parts of the server that a realtime engine uses. */
export interface EngineParts {
  readonly sessions: SessionService;
  /** The server's secret. */
  readonly secret: string;
  readonly authority: Authority;
  /** ms since the epoch */
  readonly now: () => number;
  readonly metrics: Metrics;
}

/** The implementations behind the endpoints: in the data folder, or hosted services. */
export interface Services {
  readonly check: CheckCredentials;
  readonly staff: StaffSource;
  readonly deniedStore: DeniedStore;
  /** Undefined: no list of open sessions exists that all instances share. */
  readonly openSessionStore: ((secret: string) => SessionStore) | undefined;
  /** Creates the limiters on password guessing. */
  readonly createLimiter: CreateLimiter;
  /** The demo accounts can sign in. */
  readonly isDemo: boolean;
  /** Users without access, even with a session from before. */
  readonly refusedUids: ReadonlySet<string>;
  /** Bytes of the stored data; undefined if none is stored. */
  readonly measure?: () => number;
  readonly createRealtime: (parts: EngineParts) => RealtimeRoutes;
  /** Writes pending data and releases the data folder. */
  close(): void;
}

/** True if everything is hosted: the server stores nothing, and any number of processes may run. */
export const isStateless = ({ apiBaseUrl, hosted }: Config): boolean =>
  apiBaseUrl !== undefined && hosted !== undefined;

/** Accounts, clients and staff from the product API. */
const toApiStaff = (apiBaseUrl: string, log: Log) => ({
  check: createApiCheck(apiBaseUrl),
  staff: createApiSource(apiBaseUrl, log),
});

/** Accounts, clients and staff from the embedded database. */
const toEmbeddedStaff = ({ accounts, staffData }: Embedded, refusedUids: ReadonlySet<string>) => ({
  check: createEmbeddedCheck(accounts, refusedUids),
  staff: createEmbeddedSource(staffData),
});

const toHostedRealtime =
  (keyset: HostedKeyset, { channelTemplate }: Config, staff: StaffSource, log: Log) =>
  ({ sessions, now }: EngineParts): RealtimeRoutes =>
    createHostedRoutes({ sessions, staff, keyset, channelTemplate, log, now });

/**
 * Asks the product API, at most once a minute, whether it still accepts its token of a session: an
 * open page may cause no other request to it. Ends a session that it refuses, also if it answers
 * late. While it is down or slow, sessions continue.
 */
const createAccountCheck = (staff: StaffSource, sessions: SessionService, log: Log) => {
  const limiter = createMemoryLimiter({
    name: 'account-checks',
    points: 1,
    windowMs: ACCOUNT_CHECK_EVERY_MS,
  });
  const check = async (c: ServerContext, session: SessionIdentity): Promise<boolean> => {
    const teams = await staff.teams(session);
    if (teams.ok) return true;
    if (teams.error.kind !== 'unauthenticated') {
      logStaffFailure(log, 'teams', teams.error);
      return true;
    }
    log.info({ uid: session.user.uid }, 'session ended by the product API');
    await sessions.deny(c);
    return false;
  };
  return async (c: ServerContext, session: SessionIdentity): Promise<boolean> => {
    if (session.upstreamToken === undefined) return true;
    if (!(await takeFrom(limiter, session.sid)).ok) return true;
    const timeLimit = setTimeout(ACCOUNT_CHECK_MS_MAX, true, { ref: false });
    return Promise.race([check(c, session), timeLimit]);
  };
};

const toEmbeddedRealtime =
  (data: Embedded, { channelTemplate, apiBaseUrl }: Config, staff: StaffSource, log: Log) =>
  ({ sessions, secret, authority, metrics }: EngineParts): RealtimeRoutes => {
    const { store, marks, staffData } = data;
    const engineMetrics = metrics.startEngine();
    store.onCommit((seconds) => engineMetrics.timeCommit(seconds));
    // Only the product API has the list of clients, so any well-formed id may be valid.
    const hasClient = (clientId: string): boolean =>
      apiBaseUrl !== undefined || staffData.hasClient(clientId);
    const routes = createRealtimeRoutes({
      sessions,
      store,
      marks,
      log,
      secret,
      authority,
      channelTemplate,
      hasClient,
      hasAccount: createAccountCheck(staff, sessions, log),
      countPublish: (outcome) => engineMetrics.countPublish(outcome),
    });
    metrics.show('open_streams', () => routes.countStreams());
    return routes;
  };

/** Timetokens rise even if the clock is wrong; displayed times are wrong until it has caught up. */
const warnOfClock = (log: Log, { store }: Embedded): void => {
  const behindMs = toEpochMs(store.head()) - Date.now();
  if (behindMs > 0) log.warn({ behindMs }, 'the clock is behind the newest message: correct it');
};

const NO_UIDS: ReadonlySet<string> = new Set();
const DEMO_UIDS: ReadonlySet<string> = new Set(DEMO_ACCOUNTS.map(({ uid }) => uid));

/** Staff data, realtime or both in the data folder, which belongs to this process alone. */
const toStoredServices = (config: Config, log: Log, data: Embedded): Services => {
  const { apiBaseUrl, hosted } = config;
  const isDemo = data.hasDemo && allowsDemo(config);
  // The passwords of the demo accounts are public.
  const refusedUids = isDemo || apiBaseUrl !== undefined ? NO_UIDS : DEMO_UIDS;
  if (apiBaseUrl === undefined && !data.accounts.hasAny(refusedUids)) {
    log.warn('nobody can sign in: set API_BASE_URL, or DEMO=true for the demo accounts');
  }
  if (apiBaseUrl !== undefined && hosted === undefined && data.hasDemo) {
    log.warn('clients whose ids are those of demo clients show demo messages: use a new DATA_DIR');
  }
  warnOfClock(log, data);
  const staffParts =
    apiBaseUrl === undefined ? toEmbeddedStaff(data, refusedUids) : toApiStaff(apiBaseUrl, log);
  return {
    ...staffParts,
    deniedStore: createSqlDeniedStore({ ...data, now: Date.now, log }),
    openSessionStore: (secret) =>
      createSqlSessionStore({ ...data, now: Date.now, log }, secret, config.authSecretPrevious),
    createLimiter: createMemoryLimiter,
    isDemo,
    refusedUids,
    measure: () => measureDatabase(config.dataDir),
    createRealtime:
      hosted === undefined
        ? toEmbeddedRealtime(data, config, staffParts.staff, log)
        : toHostedRealtime(hosted, config, staffParts.staff, log),
    close: () => data.close(),
  };
};

const chooseSeeding = ({ apiBaseUrl, hosted, demo }: Config): boolean | 'when-new' => {
  if (apiBaseUrl !== undefined) return false;
  return demo ?? (hosted === undefined ? 'when-new' : false);
};

type SharedParts = Pick<Services, 'deniedStore' | 'openSessionStore' | 'createLimiter' | 'close'>;

/** Parts of an instance without a shared store, perhaps with a shared folder of sign-outs. */
const openOwnParts = ({ signOutDir }: Config, log: Log): Result<SharedParts, string> => {
  const toParts = (deniedStore: DeniedStore): Result<SharedParts, string> =>
    ok({
      deniedStore,
      openSessionStore: undefined,
      createLimiter: createMemoryLimiter,
      close: () => undefined,
    });
  if (signOutDir === undefined) return toParts(noopDeniedStore);
  try {
    return toParts(createFolderDeniedStore(signOutDir, Date.now, log));
  } catch (thrown) {
    return fail(`SIGN_OUT_DIR ${signOutDir} cannot be used: ${toReason(thrown)}.`);
  }
};

const toStoreParts = (url: string, secret: string, config: Config, log: Log): SharedParts => {
  const store = openSharedStore(url, secret, log, config.authSecretPrevious);
  return {
    deniedStore: createSharedDeniedStore(store, Date.now, log),
    openSessionStore: () => createSharedSessionStore(store),
    createLimiter: store.createLimiter,
    close: () => store.close(),
  };
};

/** Fully hosted: nothing is stored on this instance; a store that instances share is optional. */
const openHostedServices = (
  config: Config,
  log: Log,
  { apiBaseUrl, hosted }: { readonly apiBaseUrl: string; readonly hosted: HostedKeyset },
): Result<Services, string> => {
  const { sharedStoreUrl, authSecret } = config;
  const parts =
    sharedStoreUrl !== undefined && authSecret !== undefined
      ? ok(toStoreParts(sharedStoreUrl, authSecret, config, log))
      : openOwnParts(config, log);
  if (!parts.ok) return parts;
  const staffParts = toApiStaff(apiBaseUrl, log);
  return ok({
    ...staffParts,
    ...parts.value,
    isDemo: false,
    refusedUids: NO_UIDS,
    createRealtime: toHostedRealtime(hosted, config, staffParts.staff, log),
  });
};

/** Opens the services, and the data folder if needed; the error is a text for the operator. */
export const openServices = async (config: Config, log: Log): Promise<Result<Services, string>> => {
  const { apiBaseUrl, hosted } = config;
  if (apiBaseUrl !== undefined && hosted !== undefined) {
    return openHostedServices(config, log, { apiBaseUrl, hosted });
  }
  const data = await openEmbedded(config.dataDir, { seedDemo: chooseSeeding(config) });
  if (!data.ok) return fail(data.error.message);
  try {
    return ok(toStoredServices(config, log, data.value));
  } catch (thrown) {
    data.value.close();
    return fail(`The data in ${config.dataDir} cannot be used: ${toReason(thrown)}.`);
  }
};
