import type { MarkChange } from '#domain/ports/storage.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  findMarkLog,
  isLaterMark,
  type MarkKind,
  toMarkKey,
  toReminderValue,
} from '#domain/schemas/marks.ts';
import {
  fromEpochMs,
  laterOf,
  previousTimetoken,
  type Timetoken,
  TIMETOKEN_ZERO,
  toEpochMs,
} from '#domain/timetoken.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';

import { readStoredMarks } from './checks/marks.ts';
import { readStored } from './checks/stored.ts';
import type { Simulation } from './simulation.ts';
import type { SimTab } from './world/tab.ts';

/** Marks that people record for the open room. */

/** The end of the open room, as far as it is on the device. */
const findEnd = ({ desk, room, device }: SimTab): Timetoken => {
  if (desk === undefined) return TIMETOKEN_ZERO;
  const { entries } = readStored(device, desk.uid);
  return entries.reduce<Timetoken>(
    (newest, { row }) => (row.room === room ? laterOf(newest, row.timetoken) : newest),
    TIMETOKEN_ZERO,
  );
};

/** Records a stored mark: the given value, or a later one that is stored already. */
const keepMark = (
  { ledger }: Simulation,
  { desk, device }: SimTab,
  { kind, room, value }: { kind: MarkKind; room: RoomKey; value: string },
): void => {
  if (desk === undefined) return;
  const { uid } = desk;
  const [key, given] = [toMarkKey(kind, room), { turn: 0, value }];
  const stored = readStoredMarks(device, uid, findMarkLog(key) ?? 'own').get(key);
  const mark = stored && isLaterMark(stored, given) ? stored : given;
  ledger.kept.push({ uid, device: device.name, key, mark });
};

/** Reads the open room to its end. */
export const readRoom = async (simulation: Simulation, tab: SimTab): Promise<void> => {
  const timetoken = findEnd(tab);
  if (timetoken === TIMETOKEN_ZERO) return;
  const { desk, ports } = tab;
  if (desk === undefined) return;
  const commands = createMessageCommands(ports, desk.store, desk.uid);
  const isRecorded = await commands.markRead(new Map([[tab.room, timetoken]]));
  if (isRecorded) keepMark(simulation, tab, { kind: 'read', room: tab.room, value: timetoken });
};

/** Marks the open room as unread, starting at one of its messages. */
export const markUnread = async ({ desk, room, device, random }: SimTab): Promise<void> => {
  if (desk === undefined) return;
  const rows = readStored(device, desk.uid).entries.filter(({ row }) => row.room === room);
  if (rows.length === 0) return;
  const from = previousTimetoken(random.pick(rows).row.timetoken);
  await desk.store.recordUnread(new Map([[room, { from }]]));
};

const REMINDER_MS = { min: 1000, max: 600_000 };

/** Takes the open room, or leaves it to others. */
const take = (room: RoomKey, { uid, random }: SimTab): MarkChange => {
  const value = random.chance(0.3) ? '' : (uid ?? '');
  return { kind: 'taken', room, value };
};

/** Records that the open room needs no reply, or a reminder, or undoes one of these. */
const toChange = (end: Timetoken, { plan }: Simulation, tab: SimTab): MarkChange => {
  const { room, random } = tab;
  if (plan.counts && random.chance(0.25)) return take(room, tab);
  if (random.chance(0.5)) {
    const isBack = random.chance(0.3);
    const value = isBack ? previousTimetoken(end) : end;
    return { kind: 'done', room, value, back: isBack };
  }
  const due = fromEpochMs(toEpochMs(end) + random.between(REMINDER_MS.min, REMINDER_MS.max));
  const reminder = random.chance(0.3) ? undefined : { due, upTo: end };
  return { kind: 'reminder', room, value: toReminderValue(reminder) };
};

export const followUp = async (simulation: Simulation, tab: SimTab): Promise<void> => {
  const end = findEnd(tab);
  if (tab.desk === undefined || end === TIMETOKEN_ZERO) return;
  const change = toChange(end, simulation, tab);
  const stored = await tab.desk.store.recordMarks([change]);
  if (stored.ok) keepMark(simulation, tab, change);
};
