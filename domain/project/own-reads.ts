import * as z from 'zod/mini';

import { isRoomKey, type RoomKey } from '../rooms.ts';
import type { MarkEntry } from '../schemas/mark-log.ts';
import {
  OWN_LOG_VERSION,
  OWN_ROOMS_MAX,
  type OwnPayload,
  parseOwnEntry,
} from '../schemas/own-log.ts';
import {
  earlierOf,
  isTimetoken,
  laterOf,
  type Timetoken,
  TIMETOKEN_ZERO,
  timetokenSchema,
} from '../timetoken.ts';

/** By room, up to where it was read. */
export type Reads = ReadonlyMap<RoomKey, Timetoken>;

/** What a device knows from its user's own log. */
export interface OwnReads {
  /** Everything up to here was read; undefined before the first time. */
  readonly upTo: Timetoken | undefined;
  readonly reads: Reads;
  /** Where reading began on the first device; undefined until a device has said so. */
  readonly began: Timetoken | undefined;
  /** Entries since the last whole snapshot, or since the beginning without any. */
  readonly sinceSnapshot: number;
}

export const NO_OWN_READS: OwnReads = {
  upTo: undefined,
  reads: new Map(),
  began: undefined,
  sinceSnapshot: 0,
};

const isRead = (value: unknown): value is readonly [RoomKey, Timetoken] =>
  Array.isArray(value) && isRoomKey(value[0]) && isTimetoken(value[1]);

const ownReadsSchema = z.object({
  upTo: z.optional(timetokenSchema),
  reads: z.array(z.custom<readonly [RoomKey, Timetoken]>(isRead)),
  began: z.optional(timetokenSchema),
  sinceSnapshot: z.number(),
});

/** Reads what a device stored, `reads` as pairs; undefined for anything else. */
export const parseOwnReads = (value: unknown): OwnReads | undefined => {
  const parsed = ownReadsSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { upTo, reads, began, sinceSnapshot } = parsed.data;
  return { upTo, reads: new Map(reads), began, sinceSnapshot };
};

/**
 * After so many entries a device repeats everything, so that a new device reads a page or two. Two
 * devices that do so at once repeat it twice, which does no harm.
 */
export const SNAPSHOT_EVERY = 64;

/** The positions in an entry. */
export const toReads = ({ reads }: OwnPayload): Reads =>
  new Map(Object.entries(reads) as [RoomKey, Timetoken][]);

/** The later position of each room. */
export const uniteReads = (some: Reads, others: Reads): Reads => {
  const united = new Map(some);
  for (const [room, upTo] of others) {
    united.set(room, laterOf(united.get(room) ?? TIMETOKEN_ZERO, upTo));
  }
  return united;
};

/** The positions of `reads` that are later than those of `known`. */
export const findNewReads = (reads: Reads, known: Reads): Reads =>
  new Map([...reads].filter(([room, upTo]) => upTo > (known.get(room) ?? TIMETOKEN_ZERO)));

/** The index of the newest entry with which a snapshot is whole among these; -1 for none. */
const findSnapshotEnd = (payloads: readonly (OwnPayload | undefined)[]): number => {
  const parts = new Map<string, Set<number>>();
  let end = -1;
  for (const [index, payload] of payloads.entries()) {
    if (payload?.snapshot === undefined) continue;
    const { id, part, of } = payload.snapshot;
    const known = parts.get(id) ?? new Set();
    parts.set(id, known.add(part));
    if (known.size >= of) end = index;
  }
  return end;
};

/** Whether nothing older than these entries adds anything. */
export const hasSnapshot = (entries: readonly MarkEntry[]): boolean =>
  findSnapshotEnd(entries.map(parseOwnEntry)) !== -1;

/** Adds entries, oldest first, to what is known. Whatever cannot be read adds nothing. */
export const addOwnEntries = (known: OwnReads, entries: readonly MarkEntry[]): OwnReads => {
  const payloads = entries.map(parseOwnEntry);
  const reads = new Map(known.reads);
  let { began } = known;
  for (const payload of payloads) {
    if (payload === undefined) continue;
    for (const [room, upTo] of toReads(payload)) {
      reads.set(room, laterOf(reads.get(room) ?? TIMETOKEN_ZERO, upTo));
    }
    if (payload.began !== undefined) began = earlierOf(began ?? payload.began, payload.began);
  }
  const end = findSnapshotEnd(payloads);
  const later = entries.length - end - 1;
  return {
    upTo: entries.at(-1)?.timetoken ?? known.upTo,
    reads,
    began,
    sinceSnapshot: end === -1 ? known.sinceSnapshot + later : later,
  };
};

const toParts = (reads: Reads): readonly Readonly<Record<RoomKey, Timetoken>>[] => {
  const all = [...reads];
  const parts = [];
  for (let start = 0; start < all.length; start += OWN_ROOMS_MAX) {
    parts.push(Object.fromEntries(all.slice(start, start + OWN_ROOMS_MAX)));
  }
  return parts;
};

/**
 * What a device has to publish so that the own log says what it knows: what is new, or from time
 * to time everything; nothing if the log says all of it. `began` is where reading began here.
 */
export const toOwnPayloads = (
  known: OwnReads,
  { reads: here, began }: { readonly reads: Reads; readonly began: Timetoken | undefined },
  snapshotId: string,
): readonly OwnPayload[] => {
  const news = findNewReads(here, known.reads);
  const isBeginning = known.began === undefined && began !== undefined;
  if (news.size === 0 && !isBeginning) return [];
  const isWhole = known.sinceSnapshot >= SNAPSHOT_EVERY;
  const first = known.began ?? began;
  const parts = toParts(isWhole ? uniteReads(known.reads, here) : news);
  const beginning = first !== undefined && (isWhole || isBeginning) ? { began: first } : {};
  const toPayload = (reads: OwnPayload['reads'], part: number): OwnPayload => ({
    v: OWN_LOG_VERSION,
    reads,
    ...beginning,
    ...(isWhole && { snapshot: { id: snapshotId, part, of: parts.length } }),
  });
  return parts.length === 0 ? [toPayload({}, 0)] : parts.map(toPayload);
};
