import '../world/storage/storage-tasks.ts';

import { type Entry, parseEntry, toIdentity, toPositionKey } from '#db/facts/entry-row.ts';
import { toUserDatabaseName } from '#db/schema/database.ts';
import type { EntryRow } from '#db/schema/tables.ts';
import type { Envelope } from '#domain/envelope.ts';
import {
  type Coverage,
  type OutboxItem,
  type RoomActivity,
  type ThreadItem,
  toMessageKey,
} from '#domain/project/rows.ts';
import { composeThread } from '#domain/project/thread.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { type LogEntry, parseIncoming } from '#domain/schemas/message.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import type { SimDevice } from '../world/device.ts';
import { readPages } from './coverage.ts';
import { toPlain } from '../world/storage/sealing.ts';

/** One user's data on one device, read directly from the disk. */
export interface Stored {
  readonly device: SimDevice;
  readonly uid: string;
  readonly entries: readonly Entry[];
  readonly items: readonly OutboxItem[];
  /** By history pages alone. */
  readonly coverage: readonly Coverage[];
  readonly activity: readonly RoomActivity[];
  readonly log: readonly Envelope[];
}

const entries = new WeakMap<EntryRow, Entry>();

/** A stored message; rows are never changed in place. */
const toEntry = (stored: EntryRow): Entry => {
  const known = entries.get(stored);
  if (known !== undefined) return known;
  const parsed = parseEntry(stored);
  if (!parsed.ok) throw new Error(parsed.error);
  entries.set(stored, parsed.value);
  return parsed.value;
};

export const readStored = (device: SimDevice, uid: string): Stored => {
  const name = toUserDatabaseName(uid);
  return {
    device,
    uid,
    entries: device.disk.rows(name, 'entries').map(toEntry),
    items: device.disk.rows(name, 'outbox'),
    coverage: readPages(device, uid),
    activity: device.disk.rows(name, 'activity'),
    log: device.disk.rows(name, 'log'),
  };
};

const DEVICE_DATABASE = 'replay-desk-device';

/** A user's unsent messages, in the outbox or kept at a sign-out. */
export const listUnsent = (device: SimDevice, uid: string): readonly OutboxItem[] => {
  const sealed = device.disk.rows(DEVICE_DATABASE, 'sealed').filter((row) => row.uid === uid);
  const items = device.disk.rows(toUserDatabaseName(uid), 'outbox');
  const kept = sealed.flatMap(({ data }): OutboxItem[] => JSON.parse(toPlain(data)));
  return [...items, ...kept];
};

/** Users who signed out and whose data is still on the device. */
export const listPendingPurges = (device: SimDevice): readonly string[] =>
  device.disk.rows(DEVICE_DATABASE, 'departures').map(({ uid }) => uid);

/** The data of all users who were ever signed in on these devices. */
export const readAllStored = (devices: readonly SimDevice[]): readonly Stored[] =>
  devices.flatMap((device) => [...device.users].map((uid) => readStored(device, uid)));

/** The content of a room. */
export const toThread = (stored: Stored, room: RoomKey): readonly ThreadItem[] =>
  composeThread(
    stored.entries.flatMap(({ row }) => (row.room === room ? [row] : [])),
    stored.items.filter((item) => item.room === room),
    stored.uid,
    stored.coverage.find((known) => known.room === room)?.ranges ?? [],
  );

const rowKeys = new WeakMap<LogEntry, string>();

/** The key of the row in which an entry of the engine's log must be. */
const toEntryKey = (entry: LogEntry): string => {
  const known = rowKeys.get(entry);
  if (known !== undefined) return known;
  const incoming = parseIncoming(entry.message);
  const id = incoming.kind === 'message' ? incoming.id : undefined;
  const key = toMessageKey(entry.room, entry.publisher, id, entry.timetoken);
  rowKeys.set(entry, key);
  return key;
};

/** The position of the first copy of each message of a room. */
const toFirstPlaces = (entries: readonly LogEntry[]): ReadonlyMap<string, Timetoken> => {
  const places = new Map<string, Timetoken>();
  for (const entry of entries) {
    const key = toEntryKey(entry);
    if (!places.has(key)) places.set(key, entry.timetoken);
  }
  return places;
};

/**
 * The messages of a room, starting at `from`, each once, at its first copy; none without a `from`.
 * `isSplit`: a message has copies on both sides of it.
 */
export const splitCopies = (
  entries: readonly LogEntry[],
  from: Timetoken | undefined,
): { readonly entries: readonly LogEntry[]; readonly isSplit: boolean } => {
  if (from === undefined) return { entries: [], isSplit: false };
  const places = toFirstPlaces(entries);
  const later = entries.filter(({ timetoken }) => timetoken >= from);
  const firsts = later.filter((entry) => places.get(toEntryKey(entry)) === entry.timetoken);
  const isSplit = later.some((entry) => (places.get(toEntryKey(entry)) ?? from) < from);
  return { entries: firsts, isSplit };
};

/**
 * Entries of the engine's log between two positions, both inclusive, that are not stored. A
 * message counts at its first copy: one before `from` may be pruned with its later copies.
 */
export const findMissing = (
  device: SimDevice,
  uid: string,
  entries: readonly LogEntry[],
  { from, to }: { readonly from: Timetoken; readonly to: Timetoken },
): readonly LogEntry[] => {
  const name = toUserDatabaseName(uid);
  const isStored = (entry: LogEntry): boolean => {
    const identity = toIdentity(toEntryKey(entry));
    return identity === undefined
      ? device.disk.has(name, 'entries', toPositionKey(entry.room, entry.timetoken))
      : device.disk.has(name, 'entries', identity, 'f');
  };
  const missing = entries.filter(
    (entry) => entry.timetoken >= from && entry.timetoken <= to && !isStored(entry),
  );
  if (missing.length === 0) return missing;
  const places = toFirstPlaces(entries);
  return missing.filter((entry) => (places.get(toEntryKey(entry)) ?? from) >= from);
};
