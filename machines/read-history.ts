import type { AppError } from '#domain/errors.ts';
import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Cancellation, Ports, Store } from '#domain/ports.ts';
import { ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { laterOf, type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { loadPage } from './load-page.ts';

/** A stretch of a room shown down to `from`; `more`: older messages exist. */
export interface Stretch {
  readonly from: Timetoken;
  readonly more: boolean;
}

type Found = Result<Stretch | undefined, AppError>;

/** Up to one page of stored messages before `before`, no further down than `floor`. */
const findStored = async (
  store: Store,
  room: RoomKey,
  before: Timetoken,
  floor: Timetoken,
): Promise<Found> => {
  const older = await store.findOlder(room, HISTORY_PAGE_SIZE, before);
  if (!older.ok) return older;
  if (older.value === undefined || older.value.count === 0) return ok(undefined);
  const from = laterOf(older.value.from, floor);
  if (floor > TIMETOKEN_ZERO) return ok({ from, more: true });
  const rest = await store.findOlder(room, 1, from);
  return rest.ok ? ok({ from, more: (rest.value?.count ?? 0) > 0 }) : rest;
};

/** The newest stored messages, when anything of the room is known without a gap. */
export const findNewestStored = async (store: Store, room: RoomKey): Promise<Found> => {
  const known = await store.findCoverage(room);
  if (!known.ok) return known;
  const newest = known.value?.ranges.at(-1);
  if (newest === undefined) return ok(undefined);
  const stored = await findStored(store, room, TIMETOKEN_MAX, newest.from);
  const isEmptyRoom = stored.ok && stored.value === undefined && newest.from === TIMETOKEN_ZERO;
  return isEmptyRoom ? ok({ from: TIMETOKEN_ZERO, more: false }) : stored;
};

/** Reads the newest page from the engine. */
export const readNewest = async (
  ports: Pick<Ports, 'realtime'>,
  store: Store,
  room: RoomKey,
  cancel: Cancellation,
): Promise<Result<Stretch, AppError>> => {
  const page = await loadPage(ports, { store }, { room, count: HISTORY_PAGE_SIZE }, cancel);
  return page.ok ? ok({ from: page.value.from, more: !page.value.reachedStart }) : page;
};

/**
 * One page more: from this device within the gapless range that holds `from`, else from
 * the engine. A room's start is known after a page that was not full (spec §9).
 */
export const readMore = async (
  ports: Pick<Ports, 'realtime'>,
  store: Store,
  { room, from }: { readonly room: RoomKey; readonly from: Timetoken },
  cancel: Cancellation,
): Promise<Result<Stretch, AppError>> => {
  const known = await store.findCoverage(room);
  if (!known.ok) return known;
  const range = known.value?.ranges.find((range) => range.from < from && from <= range.to);
  if (range !== undefined) {
    const stored = await findStored(store, room, from, range.from);
    if (!stored.ok) return stored;
    if (stored.value !== undefined) return ok(stored.value);
    if (range.from === TIMETOKEN_ZERO) return ok({ from, more: false });
  }
  const query = { room, count: HISTORY_PAGE_SIZE, before: from };
  const page = await loadPage(ports, { store }, query, cancel);
  return page.ok ? ok({ from: page.value.from, more: !page.value.reachedStart }) : page;
};
