import type { AppError } from '#domain/errors.ts';
import { CATCH_UP_PAGE_SIZE, HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Coverage } from '#domain/project/rows.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import { ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  laterOf,
  nextTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';

import { loadPage } from './load-page.ts';

/** A slice of a room, shown down to `from`; `more`: older messages exist. */
export interface HistorySlice {
  readonly from: Timetoken;
  readonly more: boolean;
}

type Found = Result<HistorySlice | undefined, AppError>;

/** A request for messages older than `from`. */
export interface MoreQuery {
  readonly room: RoomKey;
  readonly from: Timetoken;
  /** On the way to a message far back: reads as many at once as are cheap. */
  readonly isFar: boolean;
}

/** Stored messages shown at once on the way to one far back. */
const FAR_STORED_MAX = 1000;

/** Up to `count` stored messages before `before`, but not below `floor`; undefined if none. */
const findStored = async (
  store: Store,
  room: RoomKey,
  before: Timetoken,
  floor: Timetoken,
  count = HISTORY_PAGE_SIZE,
): Promise<Found> => {
  const older = await store.findOlder(room, count, before);
  if (!older.ok) return older;
  if (older.value === undefined || older.value.to < floor) return ok(undefined);
  const from = laterOf(older.value.from, floor);
  if (floor > TIMETOKEN_ZERO) return ok({ from, more: true });
  const rest = await store.findOlder(room, 1, from);
  return rest.ok ? ok({ from, more: (rest.value?.count ?? 0) > 0 }) : rest;
};

/** The newest stored messages before `end`, from the newest of the ranges with messages. */
const findInRanges = async (
  store: Store,
  room: RoomKey,
  ranges: Coverage['ranges'],
  end: Timetoken,
): Promise<Found> => {
  let before = end;
  for (const { from } of ranges.toReversed()) {
    const stored = await findStored(store, room, before, from);
    if (!stored.ok || stored.value !== undefined) return stored;
    before = from;
  }
  return ok(undefined);
};

/** The newest stored messages of a room with coverage; none for a room without coverage. */
export const findNewestStored = async (store: Store, room: RoomKey): Promise<Found> => {
  const known = await store.findCoverage(room);
  if (!known.ok) return known;
  const ranges = known.value?.ranges ?? [];
  const stored = await findInRanges(store, room, ranges, TIMETOKEN_MAX);
  if (!stored.ok || stored.value !== undefined) return stored;
  const isEmpty = ranges[0]?.from === TIMETOKEN_ZERO;
  return ok(isEmpty ? { from: TIMETOKEN_ZERO, more: false } : undefined);
};

/**
 * Reads the entries between the newest page and the stream, if the stream began while the page was
 * read: otherwise the next live message would follow a gap.
 */
const joinStream = async (
  ports: Pick<Ports, 'realtime'>,
  store: Store,
  { room, to }: { readonly room: RoomKey; readonly to: Timetoken },
  cancel: AbortSignal,
): Promise<Result<unknown, AppError>> => {
  const known = await store.findCoverage(room);
  if (!known.ok || known.value?.since === undefined || known.value.since <= to) return known;
  const before = nextTimetoken(known.value.since);
  return loadPage(ports, { store }, { room, count: HISTORY_PAGE_SIZE, after: to, before }, cancel);
};

/** Reads the newest page from the engine. */
export const readNewest = async (
  ports: Pick<Ports, 'realtime'>,
  store: Store,
  room: RoomKey,
  cancel: AbortSignal,
): Promise<Result<HistorySlice, AppError>> => {
  const page = await loadPage(ports, { store }, { room, count: HISTORY_PAGE_SIZE }, cancel);
  if (!page.ok) return page;
  const joined = await joinStream(ports, store, page.value, cancel);
  if (!joined.ok) return joined;
  return ok({ from: page.value.from, more: !page.value.reachedStart });
};

/** If the engine is unreachable: up to one page of the stored messages below the gap. */
const findBelowGap = (
  store: Store,
  room: RoomKey,
  ranges: Coverage['ranges'],
  from: Timetoken,
): Promise<Found> => {
  const below = ranges.filter(({ to }) => to < from);
  return findInRanges(store, room, below, nextTimetoken(below.at(-1)?.to ?? TIMETOKEN_ZERO));
};

/**
 * One more page: from this device within the range that contains `from`, else from the engine, and
 * if that is unreachable from this device again, with a gap in between. A room's start is known
 * after a page that was not full (spec §9). Messages pruned since they were shown are read again,
 * starting at the edge of the coverage.
 */
export const readMore = async (
  ports: Pick<Ports, 'realtime'>,
  store: Store,
  { room, from, isFar }: MoreQuery,
  cancel: AbortSignal,
): Promise<Result<HistorySlice, AppError>> => {
  const known = await store.findCoverage(room);
  if (!known.ok) return known;
  const ranges = known.value?.ranges ?? [];
  const range = ranges.find((one) => one.from <= from && from <= one.to);
  if (range !== undefined && range.from < from) {
    const count = isFar ? FAR_STORED_MAX : HISTORY_PAGE_SIZE;
    const stored = await findStored(store, room, from, range.from, count);
    if (!stored.ok) return stored;
    if (stored.value !== undefined) return ok(stored.value);
    if (range.from === TIMETOKEN_ZERO) return ok({ from, more: false });
  }
  const above = range ? undefined : ranges.find((one) => one.from > from);
  const before = above?.from ?? from;
  const count = isFar ? CATCH_UP_PAGE_SIZE : HISTORY_PAGE_SIZE;
  const query = { room, count, before };
  const page = await loadPage(ports, { store }, query, cancel);
  if (page.ok) return ok({ from: page.value.from, more: !page.value.reachedStart });
  if (page.error.kind === 'unauthenticated') return page;
  const stored = await findBelowGap(store, room, ranges, before);
  return stored.ok && stored.value !== undefined ? ok(stored.value) : page;
};
