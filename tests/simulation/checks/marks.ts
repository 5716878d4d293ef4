import { toUserDatabaseName } from '#db/schema/database.ts';
import type { LogRow } from '#db/schema/tables.ts';
import { addEntries, type MarkSet, NOTHING_KNOWN } from '#domain/project/log-state.ts';
import type { RoomActivity } from '#domain/project/rows.ts';
import { isRoomKey } from '#domain/rooms.ts';
import type { MarkLogName } from '#domain/schemas/mark-log.ts';
import {
  findMarkLog,
  findNewMarks,
  isLaterMark,
  type Mark,
  type Marks,
} from '#domain/schemas/marks.ts';
import { TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import type { SimDevice } from '../world/device.ts';
import type { Simulation } from '../simulation.ts';

/** The owner of the log of all staff in the engine. */
const STAFF_OWNER = '';

/** The stored marks of a user's device for one log. */
export const readStoredMarks = (device: SimDevice, uid: string, log: MarkLogName): Marks => {
  const name = toUserDatabaseName(uid);
  const activity: readonly RoomActivity[] = log === 'own' ? device.disk.rows(name, 'activity') : [];
  const marks = new Map<string, Mark>();
  for (const { room, readUpTo } of activity) {
    const isRead = isRoomKey(room) && readUpTo > TIMETOKEN_ZERO;
    if (isRead) marks.set(`read:${room}`, { turn: 0, value: readUpTo });
  }
  const facts: readonly LogRow[] = device.disk.rows(name, 'log');
  for (const { fact } of facts) {
    if (fact.type !== 'v1.RoomMarked' && fact.type !== 'v1.ChoiceMade') continue;
    const subject = fact.type === 'v1.RoomMarked' ? fact.room : fact.subject;
    const [key, mark] = [`${fact.kind}:${subject}`, { turn: fact.turn, value: fact.value }];
    if (findMarkLog(key) === log && isLaterMark(mark, marks.get(key))) marks.set(key, mark);
  }
  return marks;
};

/** The marks of the whole log. */
export const readShared = ({ engine }: Simulation, log: MarkLogName, uid: string): MarkSet => {
  const owner = log === 'own' ? uid : STAFF_OWNER;
  const { entries } = engine.marks.read(owner, { count: Infinity, before: TIMETOKEN_MAX });
  return addEntries(log, NOTHING_KNOWN, entries);
};

const toText = ([key, { turn, value }]: readonly [string, Mark]): string =>
  `${key} ${value} (turn ${turn})`;

/**
 * The first difference between a log and a device of the signed-in user: marks recorded here must
 * reach the log, and the other way round. Undefined if they agree.
 */
export const findUnshared = (simulation: Simulation, device: SimDevice): string | undefined => {
  const { uid } = device;
  if (uid === undefined) return undefined;
  for (const log of ['own', 'staff'] as const) {
    const here = readStoredMarks(device, uid, log);
    const { marks: shared } = readShared(simulation, log, uid);
    const [own] = findNewMarks(here, shared);
    if (own !== undefined) return `${toText(own)} noted by ${uid} on ${device.name} only`;
    const [others] = findNewMarks(shared, here);
    if (others !== undefined) return `${toText(others)} not on ${device.name} of ${uid}`;
  }
  return undefined;
};

/**
 * The devices of a user agree on read positions, reminders and choices, those of all staff on done
 * rooms.
 */
export const checkMarks = (simulation: Simulation): void => {
  for (const device of simulation.devices) {
    const unshared = findUnshared(simulation, device);
    if (unshared !== undefined) simulation.reportViolation('noted everywhere', unshared);
  }
};

/**
 * Marks that people recorded are in the logs, or later ones for the same key. Unsent marks may be
 * lost with a sign-out.
 */
export const checkKeptMarks = (simulation: Simulation): void => {
  if (simulation.plan.faults.has('another user')) return;
  for (const { uid, device, key, mark } of simulation.ledger.kept) {
    const shared = readShared(simulation, findMarkLog(key) ?? 'own', uid).marks.get(key);
    if (!isLaterMark(mark, shared)) continue;
    simulation.reportViolation('noted is kept', `${toText([key, mark])} of ${uid} on ${device}`);
  }
};
