import type { Coverage } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_MAX } from '#domain/timetoken.ts';
import type { SimDevice } from '../world/device.ts';

import type { Written } from '../ledger.ts';
import { ROOMS, type Simulation } from '../simulation.ts';
import type { Burst } from '../people.ts';
import {
  findMissing,
  listPendingPurges,
  listUnsent,
  readAllStored,
  readStored,
  toThread,
} from './stored.ts';
import { readCoverage } from './coverage.ts';

/**
 * The invariants. Each calls `reportViolation`. Final ones are checked after the end of the faults,
 * those of every step also before it.
 */

const listWritten = ({ ledger }: Simulation): readonly Written[] => [...ledger.written.values()];

/** An accepted message is in the engine's log, whatever happened. */
export const checkAccepted = (simulation: Simulation): void => {
  const { engine, reportViolation } = simulation;
  const texts = new Set(engine.log.map(({ message }) => toText(message)));
  for (const { text, isAccepted, isRefused, isDiscarded, device, uid } of listWritten(simulation)) {
    if (!isAccepted || isRefused || isDiscarded || texts.has(text)) continue;
    reportViolation('accepted is sent', `"${text}" of ${uid} on ${device} is not in the log`);
  }
};

const toText = (message: unknown): unknown =>
  typeof message === 'object' && message !== null ? Reflect.get(message, 'text') : message;

/** At every step: an accepted message is in the log, or its author's device has it. */
export const checkKept = (simulation: Simulation): void => {
  const { engine, ledger, devices, reportViolation } = simulation;
  const safe = new Set(engine.log.map(({ message }) => toText(message)));
  for (const device of devices) {
    for (const uid of device.users) {
      for (const { text } of listUnsent(device, uid)) safe.add(text);
    }
  }
  for (const { text, isAccepted, isDiscarded, device, uid } of ledger.written.values()) {
    if (!isAccepted || isDiscarded || safe.has(text)) continue;
    reportViolation('accepted is kept', `"${text}" of ${uid} is gone from ${device}`);
  }
};

/** At every step: nothing appears twice on a screen. */
export const checkShownOnce = ({ devices, reportViolation }: Simulation): void => {
  for (const stored of readAllStored(devices)) {
    const shown = new Set<string>();
    for (const entry of ROOMS.flatMap((room) => toThread(stored, room))) {
      const text = entry.source === 'log' ? entry.row.text : entry.item.text;
      if (!/^(own|theirs) \d+\./.test(text)) continue;
      if (shown.has(text))
        reportViolation('shown once', `"${text}" for ${stored.uid} on ${stored.device.name}`);
      shown.add(text);
    }
  }
};

type Range = Coverage['ranges'][number];

/** Nothing is missing in a covered range of a store. */
const checkRange = (
  { engine, reportViolation }: Simulation,
  device: SimDevice,
  uid: string,
  room: RoomKey,
  range: Range,
): void => {
  const entries = engine.rooms.get(room) ?? [];
  const [missing] = findMissing(device, uid, entries, range);
  if (missing === undefined) return;
  const detail = `${room} ${missing.timetoken} of ${missing.publisher} on ${device.name}`;
  reportViolation('nothing missing below the watermark', detail);
};

/** Nothing is missing inside the coverage of a store, by pages and by the stream. */
export const checkWatermarks = (simulation: Simulation, device: SimDevice, uid: string): void => {
  for (const { room, ranges } of readCoverage(device, uid, ROOMS)) {
    for (const range of ranges) checkRange(simulation, device, uid, room, range);
  }
};

/** The ranges that were covered at the last check, by store and room. */
const reviewed = new WeakMap<SimDevice, Map<string, readonly Range[]>>();

/** The part of a range that is new since the last check; most ranges only grow at their end. */
const toNew = (range: Range, known: readonly Range[]): Range => {
  const same = known.find(({ from, to }) => from === range.from && to <= range.to);
  return same === undefined ? range : { from: same.to, to: range.to };
};

/** The same for the ranges that were covered since the last check. */
export const checkNewWatermarks = (
  simulation: Simulation,
  device: SimDevice,
  uid: string,
): void => {
  const last = reviewed.get(device) ?? new Map<string, readonly Range[]>();
  reviewed.set(device, last);
  for (const { room, ranges } of readCoverage(device, uid, ROOMS)) {
    const known = last.get(`${uid} ${room}`) ?? [];
    last.set(`${uid} ${room}`, ranges);
    for (const range of ranges) {
      if (known.some(({ from, to }) => from === range.from && to === range.to)) continue;
      checkRange(simulation, device, uid, room, toNew(range, known));
    }
  }
};

/** The messages of a room that the signed-in user's device lacks since it has the room. */
export const findGap = ({ engine }: Simulation, device: SimDevice): string | undefined => {
  const { uid } = device;
  if (uid === undefined) return undefined;
  for (const { room, ranges } of readCoverage(device, uid, ROOMS)) {
    const from = ranges[0]?.from;
    if (from === undefined) continue;
    const entries = engine.rooms.get(room) ?? [];
    const [missing, ...more] = findMissing(device, uid, entries, { from, to: TIMETOKEN_MAX });
    if (missing === undefined) continue;
    const what = `${missing.timetoken} and ${more.length} more of ${room}`;
    return `${what}, ${uid} on ${device.name}`;
  }
  return undefined;
};

/** No room has a gap, or ends too early. */
export const checkForeignPresent = (simulation: Simulation): void => {
  for (const device of simulation.devices) {
    const gap = findGap(simulation, device);
    if (gap !== undefined) simulation.reportViolation('nothing of others is missing', gap);
  }
};

/**
 * Per device, author and room: the order of acceptance is the order in the room's log. A message
 * that was restored or taken over by another store has a later place in the local log than in the
 * order of acceptance, and may be sent in either order.
 */
export const checkOrder = (simulation: Simulation): void => {
  const { engine, ledger, devices, reportViolation } = simulation;
  for (const stored of readAllStored(devices)) {
    for (const room of ROOMS) {
      const sent: { readonly timetoken: string; readonly order: number }[] = [];
      for (const { fact } of stored.log) {
        if (fact.type !== 'v1.MessageQueued' || fact.room !== room) continue;
        const written = ledger.written.get(fact.text);
        if (written === undefined || written.isDiscarded || written.retries > 0) continue;
        const timetoken = engine.find(room, fact.uid, fact.id)?.timetoken;
        if (timetoken === undefined) continue;
        const { order } = written;
        if (sent.some((before) => timetoken < before.timetoken && before.order < order)) {
          reportViolation('own order', `"${fact.text}" overtook in ${room}`);
        }
        sent.push({ timetoken, order });
      }
    }
  }
};

/** Nothing is left to send. */
export const findUnsent = (device: SimDevice, uid: string): string | undefined =>
  listUnsent(device, uid).find(({ state }) => state === 'queued')?.text;

export const checkOutboxEmpty = (simulation: Simulation, device: SimDevice, uid: string): void => {
  const unsent = findUnsent(device, uid);
  if (unsent === undefined) return;
  simulation.reportViolation('outbox is emptied', `"${unsent}" of ${uid} on ${device.name}`);
};

/** Messages are sent under their author's name only, and are stored in their author's store. */
export const checkOwnership = (simulation: Simulation): void => {
  const { engine, ledger, devices, reportViolation } = simulation;
  for (const { publisher, message } of engine.log) {
    const written = ledger.written.get(String(toText(message)));
    if (written && written.uid !== publisher) {
      reportViolation('nothing under another uid', `"${written.text}" was sent as ${publisher}`);
    }
  }
  for (const { uid, items, log } of readAllStored(devices)) {
    const foreign = items.find((item) => item.uid !== uid);
    if (foreign)
      reportViolation('nothing under another uid', `"${foreign.text}" stored for ${uid}`);
    const fact = log.find(({ fact }) => fact.type === 'v1.MessageQueued' && fact.uid !== uid);
    if (fact) reportViolation('nothing under another uid', `${fact.key} in the log of ${uid}`);
  }
  for (const { tabs } of devices) {
    for (const { desk, uid, lane } of tabs) {
      if (desk && desk.uid !== uid && lane.state === 'running') {
        reportViolation('no data shown to another uid', `${lane.name} shows ${desk.uid} to ${uid}`);
      }
    }
  }
};

/** No readable data is left after a sign-out. */
export const checkPendingPurges = ({ devices, reportViolation }: Simulation): void => {
  for (const device of devices) {
    for (const uid of listPendingPurges(device)) {
      reportViolation('nothing is left behind', `the data of ${uid} on ${device.name}`);
    }
  }
};

/** Rows allowed beyond one per entry of the engine and four per message that a user sent. */
const LOG_ROWS_SPARE = 400;

/** Storage grows with the data, not with the faults. */
export const checkStorageBounded = (simulation: Simulation): void => {
  const { engine, ledger, devices, reportViolation } = simulation;
  const limit = engine.log.length + 4 * ledger.written.size + LOG_ROWS_SPARE;
  for (const { uid, device, entries, log } of readAllStored(devices)) {
    const count = entries.length + log.length;
    if (count <= limit) continue;
    reportViolation('storage bounded', `${count} facts for ${uid} on ${device.name}, max ${limit}`);
  }
};

/** A leader receives a permanent refusal once; the message then waits for its author. */
export const checkRefusals = ({ devices, ledger, reportViolation }: Simulation): void => {
  for (const { id, times } of devices.flatMap(({ refusals }) => [...refusals.values()])) {
    const retries = ledger.ids.get(id)?.retries ?? 0;
    if (times > retries + 1)
      reportViolation('one attempt per refusal', `${id} was refused ${times} times`);
  }
};

/**
 * Texts of a room that the signed-in user's device should have, opened or not. Messages from before
 * the device had this room are read once the room is opened.
 */
export const findLate = (device: SimDevice, { room, texts, from }: Burst): readonly string[] => {
  const { uid } = device;
  if (uid === undefined) return [];
  const { entries } = readStored(device, uid);
  const start = readCoverage(device, uid, [room])[0]?.ranges[0]?.from;
  if (start === undefined || from === undefined || from < start) return [];
  const stored = new Set(entries.map(({ row }) => row.text));
  return texts.filter((text) => !stored.has(text));
};
