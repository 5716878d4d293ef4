import { createLazyDeviceStore } from '#db/device/lazy-device-store.ts';
import type { DatabaseOptions } from '#db/schema/database.ts';
import { Space } from '#db/schema/space.ts';
import type { UserStore } from '#db/user/user-store.ts';
import { type AppError, NOT_OPEN } from '#domain/errors.ts';
import type { ClientLog } from '#domain/ports/browser.ts';
import type { OpenSessionsApi } from '#domain/ports/network.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { fail, type Result } from '#domain/result.ts';
import type { Sealing } from '#domain/ports/sealing.ts';
import { createPageEnvironment } from '#src/adapters/browser/page-environment.ts';
import { createClientLog } from '#src/adapters/http/client-log.ts';
import { createDisk } from '#src/adapters/browser/disk.ts';
import { requestPersistentStorage } from '#src/adapters/browser/persistent-storage.ts';
import { createLazyRealtime } from '#src/adapters/realtime/lazy-realtime.ts';
import { createOpenTabs, type OpenTabs } from '#src/adapters/browser/open-tabs.ts';
import { createPageUpdates } from '#src/adapters/browser/page-updates.ts';
import { createPublicConfig, type PublicConfigSource } from '#src/adapters/http/public-config.ts';
import { createPageWeb } from '#src/adapters/http/request-json.ts';
import { createSessionApi } from '#src/adapters/http/session-api.ts';
import { createStaffApi } from '#src/adapters/http/staff-api.ts';
import { createOutdatedFlag, createStoreFlags } from '#src/adapters/browser/store-flags.ts';
import { createFrozenPageEvictor } from '#src/adapters/browser/evict-frozen-page.ts';
import { systemClock, systemIds, systemRandom } from '#src/adapters/browser/system.ts';
import { createWebLocks } from '#src/adapters/browser/web-locks.ts';
import { contentShown } from '#src/ui/deferred/content-shown.ts';

import { loadDeskPart } from './load-desk-part.ts';
import type { EngineNeeds, EngineUser } from './load-engine.ts';

/** The ports of this page; its stores include the database that the screens read. */
export interface PagePorts extends Ports {
  readonly openStore: (uid: string) => Promise<Result<UserStore, AppError>>;
  readonly publicConfig: PublicConfigSource;
  readonly openTabs: OpenTabs;
  /** Loads with the settings page. */
  readonly openSessionsApi: () => Promise<OpenSessionsApi>;
  readonly engineUser: EngineUser;
}

/** The engine and the code that selects it load with its first use. */
const createEngine = (needs: EngineNeeds) =>
  createLazyRealtime(async () => (await import('./load-engine.ts')).loadEngine(needs));

const loadSealing = async () =>
  (await import('#src/adapters/browser/web-sealing.ts')).createWebSealing();

/** Loads with the first key. */
const LAZY_SEALING: Sealing = {
  importKey: async (raw) => (await loadSealing()).importKey(raw),
  seal: async (key, owner, text) => (await loadSealing()).seal(key, owner, text),
  open: async (key, owner, sealed) => (await loadSealing()).open(key, owner, sealed),
};

const loadOpenStore = loadDeskPart(() => import('./open-store.ts'));

/** The last requested store is the current one; an earlier one that opens later is closed. */
const createOpenStore = (user: EngineUser, stored: DatabaseOptions): PagePorts['openStore'] => {
  const evictFrozenPage = createFrozenPageEvictor();
  let requests = 0;
  return async (uid) => {
    user.uid = uid;
    requests += 1;
    const request = requests;
    const { openStore } = await loadOpenStore();
    const opened = await openStore(uid, stored, evictFrozenPage);
    if (!opened.ok) return opened;
    if (request !== requests) {
      opened.value.close();
      return fail(NOT_OPEN);
    }
    user.store = opened.value;
    const bound = await user.bind?.(opened.value);
    if (bound === undefined || bound.ok) return opened;
    opened.value.close();
    return bound;
  };
};

/** The dependencies of this page's databases. */
const createStored = (clientLog: ClientLog) => ({
  clock: systemClock,
  clientLog,
  sealing: LAZY_SEALING,
  flags: createStoreFlags(),
  space: new Space(createDisk()),
});

/** Wires every port to the browser and the server of this page. */
export const composePorts = (): PagePorts => {
  const web = createPageWeb();
  const publicConfig = createPublicConfig(web);
  const clientLog = createClientLog(systemClock, (url, body) => navigator.sendBeacon(url, body));
  const stored = createStored(clientLog);
  const tabId = systemIds.next();
  const engineUser: EngineUser = {};
  return {
    clock: systemClock,
    random: systemRandom,
    ids: systemIds,
    realtime: createEngine({
      web,
      clock: systemClock,
      log: clientLog,
      publicConfig,
      user: engineUser,
    }),
    sessionApi: createSessionApi(web, LAZY_SEALING),
    staffApi: createStaffApi(web, engineUser),
    openStore: createOpenStore(engineUser, stored),
    device: createLazyDeviceStore(
      { ...stored, outdated: createOutdatedFlag(systemIds) },
      async () => (await import('#db/device/device-store.ts')).createDeviceStore(stored),
    ),
    locks: createWebLocks(navigator.locks, clientLog),
    environment: createPageEnvironment(window),
    updates: createPageUpdates({ clientLog, random: systemRandom }, contentShown),
    openTabs: createOpenTabs(navigator.locks, tabId),
    openSessionsApi: async () =>
      (await import('#src/adapters/http/open-sessions-api.ts')).createOpenSessionsApi(web),
    engineUser,
    requestPersistentStorage,
    clientLog,
    publicConfig,
    tabId,
  };
};
