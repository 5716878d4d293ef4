import { createDeviceStore } from '#db/device/device-store.ts';
import { openUserStore, type UserStore } from '#db/user/user-store.ts';
import type { AppError } from '#domain/errors.ts';
import type { OpenSessionsApi } from '#domain/ports/network.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Result } from '#domain/result.ts';
import { wakeOnReturn } from '#src/adapters/browser/background-sync.ts';
import { createPageEnvironment } from '#src/adapters/browser/page-environment.ts';
import { createClientLog } from '#src/adapters/http/client-log.ts';
import { requestPersistentStorage } from '#src/adapters/browser/persistent-storage.ts';
import { createLazyRealtime } from '#src/adapters/realtime/lazy-realtime.ts';
import { createOpenTabs, type OpenTabs } from '#src/adapters/browser/open-tabs.ts';
import { createPageUpdates } from '#src/adapters/browser/page-updates.ts';
import { createPublicConfig, type PublicConfigSource } from '#src/adapters/http/public-config.ts';
import { createPageWeb } from '#src/adapters/http/request-json.ts';
import { createSessionApi } from '#src/adapters/http/session-api.ts';
import { createStaffApi } from '#src/adapters/http/staff-api.ts';
import { createStoreMarks } from '#src/adapters/browser/store-marks.ts';
import { createStorageWaker } from '#src/adapters/browser/storage-waker.ts';
import { systemClock, systemIds, systemRandom } from '#src/adapters/browser/system.ts';
import { createWebLocks } from '#src/adapters/browser/web-locks.ts';
import { createWebSealing } from '#src/adapters/browser/web-sealing.ts';

import type { EngineNeeds, EngineUser } from './load-engine.ts';

/** The ports of this page; its stores carry the database that the screens read. */
export interface PagePorts extends Ports {
  readonly openStore: (uid: string) => Promise<Result<UserStore, AppError>>;
  readonly publicConfig: PublicConfigSource;
  readonly openTabs: OpenTabs;
  /** Comes with the settings. */
  readonly openSessionsApi: () => Promise<OpenSessionsApi>;
  readonly engineUser: EngineUser;
}

/** The engine, with the code that chooses it, comes with its first use. */
const createEngine = (needs: EngineNeeds) =>
  createLazyRealtime(async () => (await import('./load-engine.ts')).loadEngine(needs));

type Stored = Parameters<typeof openUserStore>[1];

const createOpenStore = (user: EngineUser, stored: Stored): PagePorts['openStore'] => {
  const wakeHolders = createStorageWaker();
  let stopWaking = (): void => undefined;
  return async (uid) => {
    user.uid = uid;
    const opened = await wakeHolders(openUserStore(uid, stored));
    stopWaking();
    if (opened.ok) {
      user.store = opened.value;
      stopWaking = wakeOnReturn(opened.value);
      await user.adopt?.(opened.value);
    }
    return opened;
  };
};

/** Wires every port to the browser and the server of this page. */
export const composePorts = (): PagePorts => {
  const web = createPageWeb();
  const publicConfig = createPublicConfig(web);
  const clientLog = createClientLog(systemClock, (url, body) => navigator.sendBeacon(url, body));
  const sealing = createWebSealing();
  const stored = { clock: systemClock, clientLog, sealing, marks: createStoreMarks() };
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
    sessionApi: createSessionApi(web, sealing),
    staffApi: createStaffApi(web),
    openStore: createOpenStore(engineUser, stored),
    device: createDeviceStore(stored),
    locks: createWebLocks(navigator.locks, clientLog),
    environment: createPageEnvironment(window),
    updates: createPageUpdates(),
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
