import { toUserDatabaseName } from '#db/schema/database.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import type { Unread } from '#domain/rules/unread.ts';
import { UNREAD_COUNTED_MAX } from '#domain/rules/unread-label.ts';
import { isStaff, type RoomSummary, type Staff, toStaff } from '#domain/rules/waiting.ts';
import { parseProducers } from '#domain/schemas/producer.ts';
import { findDone, findReminder, findAssignee, type Marks } from '#domain/schemas/marks.ts';
import { parseUnread } from '#domain/schemas/unread-mark.ts';
import type { LogEntry } from '#domain/schemas/message.ts';
import {
  fromEpochMs,
  isTimetoken,
  laterOf,
  type Timetoken,
  TIMETOKEN_ZERO,
  toEpochMs,
} from '#domain/timetoken.ts';
import { findUuidTime } from '#tests/support/uuid-v7.ts';

import { ROOMS, type Simulation } from '../simulation.ts';
import { listClients } from '../world/client-list.ts';
import type { SimDevice } from '../world/device.ts';
import type { SimTab } from '../world/tab.ts';
import { readCoverage } from './coverage.ts';
import { readShared } from './marks.ts';
import { readStored, splitCopies } from './stored.ts';

/**
 * The unread messages and waiting rooms of a screen, compared with a recount from the logs of the
 * engine: the messages since the device has the room, earlier ones that it stores, and the marks of
 * all devices.
 */

/** The data of one room and one user in the engine. */
interface Known {
  readonly uid: string;
  readonly staff: Staff;
  /** The messages that the device should have, each once, at the position of its first copy. */
  readonly entries: readonly LogEntry[];
  /** Whether the device received any of them; acknowledged ones alone may have no summary yet. */
  readonly isReceived: boolean;
  /**
   * All entries of the room in the engine: of a room in the client list, a device has as many as it
   * needs to count. Undefined for others: only opening a room reads their pages.
   */
  readonly whole: readonly LogEntry[] | undefined;
  readonly own: Marks;
  readonly shared: Marks;
  /** Earlier messages are not unread; undefined until reading began. */
  readonly began: Timetoken | undefined;
}

/** Unread messages; `isMarked`: the first one is unread because of a mark. */
interface ShownUnread extends Pick<Unread, 'count' | 'first' | 'newest'> {
  readonly isMarked: boolean;
}

/** An answer that took over ten seconds from the device answers what was there when it was written. */
const recountAnswered = ({ message, timetoken }: LogEntry): Timetoken => {
  const { id } = Object(message) as { readonly id?: string };
  const writtenAt = id === undefined ? Number.NaN : findUuidTime(id);
  return toEpochMs(timetoken) - writtenAt > 10_000 ? fromEpochMs(writtenAt) : timetoken;
};

/**
 * The unread messages of others: after what the user's own ones answer, because an answer implies
 * reading.
 */
const recountUnread = (
  room: RoomKey,
  { uid, entries, own, began }: Known,
): ShownUnread | undefined => {
  if (began === undefined) return undefined;
  const marked = parseUnread(own.get(`unread:${room}`)?.value);
  const read = own.get(`read:${room}`)?.value;
  const after = marked?.from ?? laterOf(began, isTimetoken(read) ? read : TIMETOKEN_ZERO);
  const noAnswerUpTo = marked?.upTo ?? TIMETOKEN_ZERO;
  const from = entries
    .filter(({ publisher, timetoken }) => publisher === uid && timetoken > noAnswerUpTo)
    .map(recountAnswered)
    .reduce(laterOf, after);
  const unread = entries.filter(
    ({ publisher, timetoken }) => publisher !== uid && timetoken > from,
  );
  const first = unread[0]?.timetoken;
  if (first === undefined) return undefined;
  const count = Math.min(unread.length, UNREAD_COUNTED_MAX);
  const newest = unread.at(-1)?.timetoken ?? first;
  return { count, first, newest, isMarked: first <= noAnswerUpTo };
};

type Waiting = Pick<RoomSummary, 'newest' | 'waitingSince' | 'isDone' | 'reminder' | 'assignee'>;

/** The start of a room's wait: its first message after the last by staff, or after it was done. */
const recountWaiting = (
  room: RoomKey,
  { entries, staff, own, shared }: Known,
): Waiting | undefined => {
  const newest = entries.at(-1);
  if (newest === undefined) return undefined;
  const done = findDone(shared, room);
  const settled = entries.findLastIndex(
    ({ publisher, timetoken }) => isStaff(publisher, staff) || timetoken <= done,
  );
  return {
    newest: newest.timetoken,
    waitingSince: entries[settled + 1]?.timetoken,
    isDone: !isStaff(newest.publisher, staff) && newest.timetoken <= done,
    reminder: findReminder(own, room),
    assignee: findAssignee(shared, room),
  };
};

/** The staff list of the device. */
const readStaff = (device: SimDevice, uid: string): Staff => {
  const documents = device.disk.rows(toUserDatabaseName(uid), 'documents');
  const stored = documents.find(({ key }) => key === 'producers');
  return toStaff(uid, stored && parseProducers(stored.value));
};

/** Undefined without a difference. */
const findDifference = (what: string, shown: unknown, counted: unknown): string | undefined => {
  const [one, other] = [JSON.stringify(shown), JSON.stringify(counted)];
  return one === other ? undefined : `${what} ${one ?? 'nothing'}, counted ${other ?? 'nothing'}`;
};

const toWaiting = (summary: RoomSummary | undefined): Waiting | undefined => {
  if (summary === undefined) return undefined;
  const { newest, waitingSince, isDone, reminder, assignee } = summary;
  return { newest, waitingSince, isDone, reminder, assignee };
};

const toShown = (unread: Unread | undefined): ShownUnread | undefined =>
  unread && {
    count: unread.count,
    first: unread.first,
    newest: unread.newest,
    isMarked: unread.markId !== undefined,
  };

const findTabDifference = (
  { desk, lane }: SimTab,
  room: RoomKey,
  known: Known,
): string | undefined => {
  const [unread, summaries] = [desk?.figures?.unread.get(), desk?.figures?.summaries.get()];
  if (unread === undefined || summaries === undefined) return `${lane.name} shows nothing`;
  const where = `${lane.name} shows for ${room}:`;
  const [shown, waiting] = [toShown(unread.get(room)), toWaiting(summaries.get(room))];
  const ofWhole = known.whole && recountUnread(room, { ...known, entries: known.whole });
  const isComparable = known.whole !== undefined && ofWhole?.count !== UNREAD_COUNTED_MAX;
  return (
    findDifference(`${where} unread`, shown, recountUnread(room, known)) ??
    (isComparable
      ? findDifference(`${where} of the whole log: unread`, shown, ofWhole)
      : undefined) ??
    (known.isReceived
      ? findDifference(`${where} waiting`, waiting, recountWaiting(room, known))
      : undefined)
  );
};

/**
 * The messages of a room on the device, and whether it received any. It also shows those that
 * nothing covers: acknowledged ones of the user, and those of a stream whose end was not recorded.
 */
const findOnDevice = (
  simulation: Simulation,
  device: SimDevice,
  uid: string,
  room: RoomKey,
): { readonly entries: readonly LogEntry[]; readonly isReceived: boolean } => {
  const stored = readStored(device, uid).entries.filter(({ row }) => row.room === room);
  const positions = new Set(stored.map(({ row }) => row.timetoken));
  const entries = simulation.engine.rooms.get(room) ?? [];
  return {
    entries: entries.filter(({ timetoken }) => positions.has(timetoken)),
    isReceived: stored.some(({ isEcholess }) => !isEcholess),
  };
};

/**
 * The first difference between a tab of the signed-in user and a recount; undefined without one.
 */
export const findMiscount = (simulation: Simulation, device: SimDevice): string | undefined => {
  const { uid } = device;
  if (uid === undefined || !simulation.plan.counts) return undefined;
  const own = readShared(simulation, 'own', uid);
  const staff = readShared(simulation, 'staff', uid);
  const listed = listClients(simulation.plan.seed);
  for (const room of ROOMS) {
    const from = readCoverage(device, uid, [room])[0]?.ranges[0]?.from;
    const { entries, isSplit } = splitCopies(simulation.engine.rooms.get(room) ?? [], from);
    // It is not known whether such a message was received before `from`.
    if (isSplit) continue;
    const stored = findOnDevice(simulation, device, uid, room);
    const { clientId } = splitRoomKey(room);
    const isListed = listed.some(({ client_id }) => client_id === clientId);
    const known: Known = {
      uid,
      staff: readStaff(device, uid),
      entries: [
        ...stored.entries.filter(({ timetoken }) => from === undefined || timetoken < from),
        ...entries,
      ],
      isReceived: stored.isReceived,
      whole: isListed
        ? splitCopies(simulation.engine.rooms.get(room) ?? [], TIMETOKEN_ZERO).entries
        : undefined,
      own: own.marks,
      shared: staff.marks,
      began: own.began,
    };
    for (const tab of device.tabs) {
      if (!tab.isRunning || tab.desk?.uid !== uid) continue;
      const difference = findTabDifference(tab, room, known);
      if (difference !== undefined) return difference;
    }
  }
  return undefined;
};

/** The screens show the result of a recount from the logs, the same on all devices of a user. */
export const checkFigures = (simulation: Simulation): void => {
  for (const device of simulation.devices) {
    const miscount = findMiscount(simulation, device);
    if (miscount !== undefined) simulation.reportViolation('shown is counted', miscount);
  }
};
