import type { ClientLog, Locks, PageEnvironment, Updates } from './browser.ts';
import type { DeviceStore } from './device.ts';
import type { Clock, Ids, Random } from './kit.ts';
import type { Realtime, SessionApi, StaffApi } from './network.ts';
import type { OpenStore } from './storage.ts';

/**
 * The outside world as the machines see it. Adapters in src/adapters (network, browser) and db
 * (storage) implement the ports; tests use in-memory ones. No port throws or rejects: failures
 * are `Result`s.
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
  /** Requests that the browser never evicts this device's data; false if it still may. */
  readonly requestPersistentStorage: () => Promise<boolean>;
  readonly clientLog: ClientLog;
  /** This tab, for the leader row. */
  readonly tabId: string;
}
