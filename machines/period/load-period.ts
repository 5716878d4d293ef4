import type { AppError } from '#domain/errors.ts';
import { CATCH_UP_PAGE_SIZE } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { AllCoverage, Store } from '#domain/ports/storage.ts';
import { coverRoom } from '#domain/project/segments.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

import { isOverfull, loadPage } from '../history/load-page.ts';

/** The coverage of a period that ends now, on one device. */
export interface PeriodCoverage {
  readonly rooms: number;
  /** Rooms of which messages of the period may be missing here and can be loaded. */
  readonly missing: readonly RoomKey[];
  /** Rooms with more messages in the period than a device keeps. */
  readonly overfull: number;
  /** The position up to which everything was delivered; undefined if the stream was never open. */
  readonly upTo: Timetoken | undefined;
}

/** Where the newest covered range of a room begins; undefined without coverage. */
const findStart = (known: AllCoverage, room: RoomKey): Timetoken | undefined =>
  coverRoom(room, known.pages.get(room), known)?.ranges.at(-1)?.from;

/** A time up to now, in all rooms or in some. */
export interface Period {
  readonly since: Timetoken;
  readonly rooms?: readonly RoomKey[] | undefined;
}

export const findPeriodCoverage = async (
  store: Store,
  { since, rooms: some }: Period,
): Promise<Result<PeriodCoverage, AppError>> => {
  const known = await store.findAllCoverage();
  if (!known.ok) return known;
  const { segments } = known.value;
  const rooms = some ?? known.value.readable;
  const missing: RoomKey[] = [];
  let overfull = 0;
  for (const room of rooms) {
    const start = findStart(known.value, room);
    if (start !== undefined && start <= since) continue;
    // The messages of a room without coverage are not counted: thousands of rooms may never have
    // been opened.
    const full = start === undefined ? ok(false) : await isOverfull(store, room, since);
    if (!full.ok) return full;
    if (full.value) overfull += 1;
    else missing.push(room);
  }
  return ok({ rooms: rooms.length, missing, overfull, upTo: segments.at(-1)?.to });
};

/**
 * Loads the history of a room back to `since`, newest pages first. Loaded pages stay covered: after
 * a stop or a failure the next call continues there.
 */
export const loadRoomSince = async (
  ports: Pick<Ports, 'realtime'>,
  store: Store,
  { room, since }: { readonly room: RoomKey; readonly since: Timetoken },
  cancel: AbortSignal,
): Promise<Result<void, AppError>> => {
  let before: Timetoken | undefined;
  for (;;) {
    if (cancel.aborted) return fail({ kind: 'unreachable' });
    const coverage = await store.findCoverage(room);
    if (!coverage.ok) return coverage;
    const start = coverage.value?.ranges.at(-1)?.from;
    if (start !== undefined && start <= since) return ok(undefined);
    if (start !== undefined && before !== undefined && start >= before) {
      return fail({ kind: 'malformed', detail: 'a history page that leads no further' });
    }
    const full = await isOverfull(store, room, since);
    if (!full.ok || full.value) return full.ok ? ok(undefined) : full;
    before = start;
    const query = { room, count: CATCH_UP_PAGE_SIZE, ...(before && { before }) };
    const page = await loadPage(ports, { store }, query, cancel);
    if (!page.ok) return page;
  }
};
