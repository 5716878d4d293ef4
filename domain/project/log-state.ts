import * as z from 'zod/mini';

import type { MarkEntry, MarkLogName } from '../schemas/mark-log.ts';
import {
  MARKS_MAX,
  type MarkWire,
  PARTS_MAX,
  type ParsedPayload,
  parseMarkEntry,
  toMarkWire,
} from '../schemas/mark-payload.ts';
import {
  earlierOf,
  laterOf,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
  timetokenSchema,
} from '../timetoken.ts';
import {
  findNewMarks,
  isLaterMark,
  type Mark,
  MARK_KINDS,
  type Marks,
  parseMark,
  mergeMarks,
} from '../schemas/marks.ts';

/** The state of a log of marks, as far as a device has read it. */
export interface LogState {
  /** Everything up to here was read; undefined before the first time. */
  readonly upTo: Timetoken | undefined;
  readonly marks: Marks;
  /** Where reading began on the first device; undefined until a device has published it. */
  readonly began: Timetoken | undefined;
  /** Entries since the last whole snapshot, or since the beginning without any. */
  readonly sinceSnapshot: number;
}

/** The marks of a device, and the position where its reading began. */
export type MarkSet = Pick<LogState, 'marks' | 'began'>;

export const NOTHING_KNOWN: LogState = {
  upTo: undefined,
  marks: new Map(),
  began: undefined,
  sinceSnapshot: 0,
};

const stateSchema = z.object({
  kinds: z.literal(MARK_KINDS),
  upTo: z.optional(timetokenSchema),
  marks: z.array(z.unknown()),
  began: z.optional(timetokenSchema),
  sinceSnapshot: z.number(),
});

/**
 * Parses the result of `toStoredState`; undefined for anything else, and for the state of a version
 * with other kinds of marks, which may have read marks without recording them.
 */
export const parseLogState = (stored: unknown): LogState | undefined => {
  const parsed = stateSchema.safeParse(stored);
  if (!parsed.success) return undefined;
  const { upTo, began, sinceSnapshot } = parsed.data;
  const marks = new Map<string, Mark>();
  for (const each of parsed.data.marks) {
    const [key, ...rest]: readonly unknown[] = Array.isArray(each) ? each : [];
    const mark = typeof key === 'string' ? parseMark(key, rest, TIMETOKEN_MAX) : undefined;
    if (mark === undefined || typeof key !== 'string') return undefined;
    marks.set(key, mark);
  }
  return { upTo, marks, began, sinceSnapshot };
};

export const toStoredState = (state: LogState): unknown => ({
  ...state,
  kinds: MARK_KINDS,
  marks: Array.from(state.marks, ([key, { turn, value }]) => [key, turn, value]),
});

/**
 * After this many entries, and at least as many as it has parts, a device publishes a full
 * snapshot, so that a new device reads little. Two devices that do so at once publish it
 * twice, which does no harm.
 */
export const SNAPSHOT_EVERY = 64;

/** The position up to which the newest whole snapshot among these payloads contains all marks. */
const findSnapshot = (payloads: readonly (ParsedPayload | undefined)[]): Timetoken | undefined => {
  const parts = new Map<string, Set<number>>();
  let whole: Timetoken | undefined;
  for (const payload of payloads) {
    if (payload?.snapshot === undefined) continue;
    const { id, part, of, upTo } = payload.snapshot;
    const known = parts.get(id) ?? new Set();
    parts.set(id, known.add(part));
    if (known.size >= of) whole = upTo;
  }
  return whole;
};

const parseAll = (log: MarkLogName, entries: readonly MarkEntry[]) =>
  entries.map((entry) => parseMarkEntry(log, entry));

/** Whether entries older than these (oldest first) add nothing. */
export const isEnough = (log: MarkLogName, entries: readonly MarkEntry[]): boolean => {
  const snapshot = findSnapshot(parseAll(log, entries));
  const [oldest] = entries;
  return snapshot !== undefined && oldest !== undefined && oldest.timetoken <= snapshot;
};

const toEarliest = (
  one: Timetoken | undefined,
  other: Timetoken | undefined,
): Timetoken | undefined =>
  one === undefined || other === undefined ? (one ?? other) : earlierOf(one, other);

/** The union of both sets, with the earlier beginning. */
export const mergeMarkSets = (some: MarkSet, others: MarkSet | ParsedPayload): MarkSet => ({
  marks: mergeMarks(some.marks, others.marks),
  began: toEarliest(some.began, others.began),
});

/**
 * The entries since the last snapshot, with one more. A snapshot ends with its last part; a reader
 * may get its parts one by one.
 */
const countSince = (since: number, payload: ParsedPayload | undefined): number => {
  if (payload?.snapshot === undefined) return since + 1;
  const { part, of } = payload.snapshot;
  return part === of - 1 ? 0 : since;
};

/**
 * Adds entries, oldest first, to the known state; it may contain some of them. Unreadable entries
 * add nothing.
 */
export const addEntries = (
  log: MarkLogName,
  known: LogState,
  entries: readonly MarkEntry[],
): LogState => {
  const payloads = parseAll(log, entries);
  const marks = new Map(known.marks);
  let { began } = known;
  for (const payload of payloads) {
    for (const [key, mark] of payload?.marks ?? []) {
      if (isLaterMark(mark, marks.get(key))) marks.set(key, mark);
    }
    began = toEarliest(began, payload?.began);
  }
  const { upTo = TIMETOKEN_ZERO } = known;
  const last = entries.at(-1)?.timetoken;
  return {
    upTo: last === undefined ? known.upTo : laterOf(upTo, last),
    marks,
    began,
    sinceSnapshot: entries.reduce(
      (since, { timetoken }, n) => (timetoken > upTo ? countSince(since, payloads[n]) : since),
      known.sinceSnapshot,
    ),
  };
};

/** Marks in parts of at most `MARKS_MAX`; no marks are one empty part. */
const toParts = (marks: Marks): readonly Marks[] => {
  const all = [...marks];
  const parts: Marks[] = [];
  do {
    parts.push(new Map(all.splice(0, MARKS_MAX)));
  } while (all.length > 0);
  return parts;
};

/**
 * The entries a device must publish so that the log contains its marks: usually the new marks,
 * periodically a full snapshot, nothing if the log is up to date.
 */
export const toPayloads = (
  known: LogState,
  here: MarkSet,
  snapshotId: string,
): readonly MarkWire[] => {
  const newMarks = findNewMarks(here.marks, known.marks);
  const first = toEarliest(known.began, here.began);
  const isBeginning = first !== known.began;
  if (newMarks.size === 0 && !isBeginning) return [];
  const all = mergeMarks(known.marks, here.marks);
  const count = Math.ceil(all.size / MARKS_MAX);
  const isDue = known.sinceSnapshot >= Math.max(SNAPSHOT_EVERY, count);
  // Readers refuse a snapshot of more parts.
  const isWhole = isDue && count <= PARTS_MAX;
  const began = isWhole || isBeginning ? first : undefined;
  const parts = toParts(isWhole ? all : newMarks);
  const of = parts.length;
  const upTo = known.upTo ?? TIMETOKEN_ZERO;
  return parts.map((marks, part) =>
    toMarkWire({
      marks,
      ...(began !== undefined && { began }),
      ...(isWhole && { snapshot: { id: snapshotId, part, of, upTo } }),
    }),
  );
};
