import { createDeviceStore } from '#db/device/device-store.ts';
import { startTeams } from '#db/hooks/use-teams.ts';
import type { DatabaseOptions } from '#db/schema/database.ts';
import { openUserStore } from '#db/user/user-store.ts';

/**
 * The stores of this device, with the library of their databases. They load with the signed-in
 * pages, or with the first write to the device.
 */
export const stores = {
  createDevice: createDeviceStore,
  openUser: (uid: string, options: DatabaseOptions) => openUserStore(uid, options, startTeams),
};
