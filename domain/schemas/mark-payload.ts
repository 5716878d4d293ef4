import * as z from 'zod/mini';

import { findMarkLog, type Marks, parseMark } from './marks.ts';
import { isTimetoken, type Timetoken, timetokenSchema } from '../timetoken.ts';
import type { MarkEntry, MarkLogName } from './mark-log.ts';

/**
 * The payload through which the devices of a user, or of all staff, exchange marks. Adding an entry
 * never undoes another, so that entries may be read in any order and repeatedly.
 */
export type MarkWire = {
  readonly v: typeof MARK_VERSION;
  /** By `toMarkKey`. */
  readonly marks: Readonly<Record<string, readonly [turn: number, value: string]>>;
  /** User log: where reading began on the user's first device. Earlier messages count as read. */
  readonly began?: Timetoken;
  /**
   * One part of a snapshot of all marks up to a position: with all parts, the entries up to there
   * add nothing.
   */
  readonly snapshot?: {
    readonly id: string;
    readonly part: number;
    readonly of: number;
    readonly upTo: Timetoken;
  };
};

/** The readable part of an entry. */
export interface ParsedPayload extends Pick<MarkWire, 'began' | 'snapshot'> {
  readonly marks: Marks;
}

const MARK_VERSION = 2;

/** Marks in one entry: the longest have 174 bytes each, and an engine accepts 32,768. */
export const MARKS_MAX = 180;

const ID_LENGTH_MAX = 64;
/** Parts of a snapshot: 72,000 marks, more than four for each room of 5,000 clients. */
export const PARTS_MAX = 400;

type Snapshot = NonNullable<MarkWire['snapshot']>;

/**
 * Snapshots without a position come from versions that had only marks of rooms: they are
 * incomplete.
 */
const isSnapshot = (value: unknown): value is Snapshot => {
  const { id, part, of, upTo } = { ...(value as Partial<Record<keyof Snapshot, unknown>>) };
  if (typeof id !== 'string' || id === '' || id.length > ID_LENGTH_MAX) return false;
  if (!Number.isInteger(part) || !Number.isInteger(of) || !isTimetoken(upTo)) return false;
  return Number(part) >= 0 && Number(part) < Number(of) && Number(of) <= PARTS_MAX;
};

const began = z.catch(z.optional(timetokenSchema), undefined);

const payloadSchema = z.union([
  z.object({
    v: z.literal(MARK_VERSION),
    marks: z.record(z.string(), z.unknown()),
    began,
    snapshot: z.catch(z.optional(z.custom<Snapshot>(isSnapshot)), undefined),
  }),
  // The first version had only read positions. Its snapshots contain no other marks.
  z.object({ v: z.literal(1), reads: z.record(z.string(), z.unknown()), began }),
]);

/**
 * Parses an entry. Marks that no device can have made by then are omitted; see `parseMark`.
 * Undefined for entries of another version or shape.
 */
export const parseMarkEntry = (
  log: MarkLogName,
  { timetoken, payload }: MarkEntry,
): ParsedPayload | undefined => {
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) return undefined;
  const { data } = parsed;
  const stored =
    data.v === 1
      ? Object.entries(data.reads).map(([room, upTo]) => [`read:${room}`, [0, upTo]] as const)
      : Object.entries(data.marks);
  const marks = stored.flatMap(([key, value]) => {
    // Marks of an unknown kind belong in the log where a later version put them.
    const isHere = (findMarkLog(key) ?? log) === log;
    const mark = isHere ? parseMark(key, value, timetoken) : undefined;
    return mark === undefined ? [] : [[key, mark] as const];
  });
  const snapshot = data.v === 1 ? undefined : data.snapshot;
  return {
    marks: new Map(marks),
    ...(data.began !== undefined && data.began <= timetoken && { began: data.began }),
    ...(snapshot !== undefined && snapshot.upTo < timetoken && { snapshot }),
  };
};

/** An entry to publish. */
export const toMarkWire = ({ marks, began: start, snapshot }: ParsedPayload): MarkWire => ({
  v: MARK_VERSION,
  marks: Object.fromEntries(Array.from(marks, ([key, { turn, value }]) => [key, [turn, value]])),
  ...(start !== undefined && { began: start }),
  ...(snapshot !== undefined && { snapshot }),
});
