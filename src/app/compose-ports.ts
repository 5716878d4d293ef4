import { createDeviceStore } from '#db/device-store.ts';
import { openUserStore, type UserStore } from '#db/user-store.ts';
import type { AppError } from '#domain/errors.ts';
import type { Ports } from '#domain/ports.ts';
import { ok, type Result } from '#domain/result.ts';
import { wakeOnReturn } from '#src/adapters/background-sync.ts';
import { createBrowserSurroundings } from '#src/adapters/browser-surroundings.ts';
import { createClientLog } from '#src/adapters/client-log.ts';
import { requestDurability } from '#src/adapters/durable-storage.ts';
import type { EmbeddedRealtimeNeeds } from '#src/adapters/embedded-realtime.ts';
import { createLazyRealtime } from '#src/adapters/lazy-realtime.ts';
import { createOpenTabs, type OpenTabs } from '#src/adapters/open-tabs.ts';
import { createPageUpdates } from '#src/adapters/page-updates.ts';
import { createPublicConfig, type PublicConfigSource } from '#src/adapters/public-config.ts';
import { createPageWeb } from '#src/adapters/request-json.ts';
import { createSessionApi } from '#src/adapters/session-api.ts';
import { createStaffApi } from '#src/adapters/staff-api.ts';
import { createStorageWaker } from '#src/adapters/storage-waker.ts';
import { systemClock, systemIds, systemRandom } from '#src/adapters/system.ts';
import { createWebLocks } from '#src/adapters/web-locks.ts';

/** The ports of this page; its stores carry the database that the screens read. */
export interface PagePorts extends Ports {
  readonly openStore: (uid: string) => Promise<Result<UserStore, AppError>>;
  readonly publicConfig: PublicConfigSource;
  readonly openTabs: OpenTabs;
}

/** The engine, with the code that chooses it, comes with its first use. */
const createEngine = (needs: EmbeddedRealtimeNeeds, publicConfig: PublicConfigSource) =>
  createLazyRealtime(async () => {
    const { loadEngine } = await import('./load-engine.ts');
    return loadEngine(needs, publicConfig);
  });

/** Wires every port to the browser and the server of this page. */
export const composePorts = (): PagePorts => {
  const web = createPageWeb();
  const publicConfig = createPublicConfig(web);
  const clientLog = createClientLog(systemClock, (url, body) => navigator.sendBeacon(url, body));
  const stored = { clock: systemClock, clientLog };
  const findTemplate = async (): Promise<Result<string, AppError>> => {
    const answer = await publicConfig.get();
    return answer.ok ? ok(answer.value.channelTemplate) : answer;
  };
  const wakeHolders = createStorageWaker();
  const tabId = systemIds.next();
  let uid: string | undefined;
  let stopWaking = (): void => undefined;
  const needs = { web, clock: systemClock, log: clientLog, findTemplate, findUid: () => uid };
  return {
    clock: systemClock,
    random: systemRandom,
    ids: systemIds,
    realtime: createEngine(needs, publicConfig),
    sessionApi: createSessionApi(web),
    staffApi: createStaffApi(web),
    openStore: async (asked) => {
      uid = asked;
      const opened = await wakeHolders(openUserStore(asked, stored));
      stopWaking();
      if (opened.ok) stopWaking = wakeOnReturn(opened.value);
      return opened;
    },
    device: createDeviceStore(stored),
    locks: createWebLocks(navigator.locks),
    surroundings: createBrowserSurroundings(window),
    updates: createPageUpdates(),
    openTabs: createOpenTabs(navigator.locks, tabId),
    requestDurability,
    clientLog,
    publicConfig,
    tabId,
  };
};
