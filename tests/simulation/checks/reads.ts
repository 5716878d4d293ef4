import { toUserDatabaseName } from '#db/schema/database.ts';
import {
  addOwnEntries,
  findNewReads,
  NO_OWN_READS,
  type Reads,
} from '#domain/project/own-reads.ts';
import type { RoomActivity } from '#domain/project/rows.ts';
import { isRoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { SimDevice } from '../world/device.ts';
import type { Simulation } from '../simulation.ts';

/** What a user read, as a device has stored it. */
const readStoredReads = (device: SimDevice, uid: string): Reads => {
  const rows: readonly RoomActivity[] = device.disk.rows(toUserDatabaseName(uid), 'activity');
  return new Map(
    rows.flatMap(({ room, readUpTo }) =>
      isRoomKey(room) && readUpTo > TIMETOKEN_ZERO ? [[room, readUpTo] as const] : [],
    ),
  );
};

/** What a user read, as the whole own log says. */
const readShared = ({ engine }: Simulation, uid: string): Reads => {
  const { entries } = engine.marks.read(uid, { count: Infinity, before: TIMETOKEN_MAX });
  return addOwnEntries(NO_OWN_READS, entries).reads;
};

/**
 * Where the signed-in user's device and the own log differ: what was read here is to be known
 * everywhere, and the other way round. Undefined if they agree.
 */
export const findUnshared = (simulation: Simulation, device: SimDevice): string | undefined => {
  const { uid } = device;
  if (uid === undefined) return undefined;
  const here = readStoredReads(device, uid);
  const shared = readShared(simulation, uid);
  const [own] = findNewReads(here, shared);
  if (own !== undefined) return `${own.join(' ')} read by ${uid} on ${device.name} only`;
  const [others] = findNewReads(shared, here);
  return others && `${others.join(' ')} read by ${uid}, but not on ${device.name}`;
};

/** The devices of a user agree on what was read. */
export const checkReads = (simulation: Simulation): void => {
  for (const device of simulation.devices) {
    const unshared = findUnshared(simulation, device);
    if (unshared !== undefined) simulation.blame('read everywhere', unshared);
  }
};
