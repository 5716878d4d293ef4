import type { ClientLog, Locks, PageEnvironment, Updates } from './browser.ts';
import type { DeviceStore } from './device.ts';
import type { Clock, Ids, Random } from './kit.ts';
import type { Realtime, SessionApi, StaffApi } from './network.ts';
import type { OpenStore } from './storage.ts';

/**
 * The world as the machines see it. Adapters in src/adapters (network, browser) and db
 * (storage) implement the ports; tests bring memory twins. No port throws or rejects:
 * failures are `Result`s.
 */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly realtime: Realtime;
  readonly sessionApi: SessionApi;
  readonly staffApi: StaffApi;
  readonly openStore: OpenStore;
  readonly device: DeviceStore;
  readonly locks: Locks;
  readonly environment: PageEnvironment;
  readonly updates: Updates;
  /** Asks the browser never to clear this device's data by itself; false when it may. */
  readonly requestPersistentStorage: () => Promise<boolean>;
  readonly clientLog: ClientLog;
  /** This tab, for the leader row. */
  readonly tabId: string;
}
