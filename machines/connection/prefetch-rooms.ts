import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import { HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toFact } from '#domain/schemas/message.ts';
import { type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { reportThrown } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import { PREFETCH_AT_ONCE, PREFETCH_ROOMS_MAX } from '../kit/limits.ts';
import { loadPage, toPageFact } from '../history/load-page.ts';
import { mayBeOfOneRoom, RoomReader } from './read-rooms.ts';
import type { LeaderInput } from '../kit/inputs.ts';

type Needs = Pick<Ports, 'realtime'>;

/** The rooms of which no page was read, and a position that the log has passed. */
const findUnread = async (
  { store }: LeaderInput,
  rooms: readonly RoomKey[],
): Promise<Result<{ readonly rooms: readonly RoomKey[]; readonly since: Timetoken }, AppError>> => {
  const known = await store.findAllCoverage();
  if (!known.ok) return known;
  const { pages, segments } = known.value;
  return ok({
    rooms: rooms.filter((room) => !pages.has(room)),
    since: segments.at(-1)?.after ?? TIMETOKEN_ZERO,
  });
};

/** Reads the newest pages of a few rooms in one request, and stores them in one transaction. */
const loadTogether = async (
  { realtime }: Needs,
  { store, fence }: LeaderInput,
  rooms: readonly RoomKey[],
  since: Timetoken,
  cancel: AbortSignal,
): Promise<Result<ReadonlySet<RoomKey>, AppError>> => {
  const answer = await realtime.readNewest(rooms, cancel);
  if (!answer.ok) return answer;
  if (cancel.aborted) return fail({ kind: 'unreachable' });
  // A full page without entries gives no position to continue from.
  const pages = [...answer.value].filter(([, { entries, full }]) => !full || entries.length > 0);
  const facts = pages.flatMap(([room, { entries, full }]): readonly Fact[] => {
    const sorted = entries.toSorted((one, other) => (one.timetoken < other.timetoken ? -1 : 1));
    const page = toPageFact({ room, count: HISTORY_PAGE_SIZE }, { entries: sorted, full }, since);
    return [...sorted.map((entry) => toFact(entry, 'history')), page];
  });
  const stored = await store.append(facts, fence);
  return stored.ok ? ok(new Set(pages.map(([room]) => room))) : stored;
};

/**
 * Reads the newest page of each room of which no page was read, a few rooms at a time. Rooms that
 * an answer omits follow later. One by one, `reader` reads the rooms that are left when an answer
 * has none of its rooms, was too slow, or failed because of one of them.
 */
const readUnread = async (
  ports: Needs,
  leader: LeaderInput,
  reader: RoomReader,
  rooms: readonly RoomKey[],
  cancel: AbortSignal,
): Promise<void> => {
  let left = rooms;
  for (;;) {
    const unread = await findUnread(leader, left);
    if (!unread.ok || unread.value.rooms.length === 0 || cancel.aborted) return;
    left = unread.value.rooms;
    const [some, others] = [left.slice(0, PREFETCH_AT_ONCE), left.slice(PREFETCH_AT_ONCE)];
    const read = await loadTogether(ports, leader, some, unread.value.since, cancel);
    if (!read.ok && read.error.kind !== 'timeout' && !mayBeOfOneRoom(read.error)) return;
    if (!read.ok || read.value.size === 0) break;
    left = [...others, ...some.filter((room) => !read.value.has(room))];
  }
  await reader.read(left, cancel, (room) =>
    loadPage(ports, leader, { room, count: HISTORY_PAGE_SIZE }, cancel),
  );
};

/**
 * Prefetches rooms that were never opened, up to `PREFETCH_ROOMS_MAX`, so that they open without a
 * network; the stream delivers later entries of all rooms. An outage stops it until the next
 * catch-up is done or the client list changes.
 */
export const prefetchRooms = (ports: Needs & Pick<Ports, 'clientLog'>) => {
  const reader = new RoomReader(1);
  return fromSubscription<never, LeaderInput>((_tell, input) => {
    const controller = new AbortController();
    let wanted: readonly RoomKey[] | undefined;
    let isRunning = false;
    const run = async (): Promise<void> => {
      if (isRunning) return;
      isRunning = true;
      while (wanted !== undefined && !controller.signal.aborted) {
        const rooms = wanted.slice(0, PREFETCH_ROOMS_MAX);
        wanted = undefined;
        try {
          await readUnread(ports, input, reader, rooms, controller.signal);
        } catch (error) {
          reportThrown(ports.clientLog, 'prefetch', error);
        }
      }
      isRunning = false;
    };
    const unwatch = input.store.watchRooms((rooms) => {
      wanted = rooms;
      void run();
    });
    return () => {
      unwatch();
      controller.abort();
    };
  });
};
