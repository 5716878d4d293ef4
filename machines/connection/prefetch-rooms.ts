import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import { CATCH_UP_PAGE_SIZE, HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { UnreadGap } from '#domain/ports/storage.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toFact } from '#domain/schemas/message.ts';
import { compareTimetokens, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { reportThrown } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import { PREFETCH_BATCH_SIZE, PREFETCH_ROOMS_MAX } from '../kit/leader-limits.ts';
import { loadPage, toPageFact } from '../history/load-page.ts';
import { mayBeOfOneRoom, RoomReader } from './read-rooms.ts';
import type { LeaderInput } from '../kit/inputs.ts';

type Needs = Pick<Ports, 'realtime'>;

/** What a tab remembers between rounds. */
interface RoundMemory {
  readonly reader: RoomReader;
  /** A request for many rooms timed out on this line. */
  readonly pace: { isSlow: boolean };
}

/**
 * The rooms of which no page was read, and a position that the log has passed. A room without
 * entries in an absence is recorded as complete there (`recordQuiet`), although nothing was read.
 */
const findUnfetched = async (
  { store }: LeaderInput,
  rooms: readonly RoomKey[],
): Promise<Result<{ readonly rooms: readonly RoomKey[]; readonly since: Timetoken }, AppError>> => {
  const known = await store.findAllCoverage();
  if (!known.ok) return known;
  const { pages, stored, segments } = known.value;
  const isFetched = (room: RoomKey): boolean =>
    pages.get(room)?.reachedStart === true || (pages.has(room) && stored.has(room));
  return ok({
    rooms: rooms.filter((room) => !isFetched(room)),
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
  const read: RoomKey[] = [];
  const facts = rooms.flatMap((room): readonly Fact[] => {
    const page = answer.value.get(room);
    // A full page without entries gives no position to continue from.
    if (page === undefined || (page.full && page.entries.length === 0)) return [];
    read.push(room);
    const entries = page.entries.toSorted((a, b) => compareTimetokens(a.timetoken, b.timetoken));
    const messages = entries.map((entry) => toFact(entry, 'history'));
    const query = { room, count: HISTORY_PAGE_SIZE };
    return [...messages, toPageFact(query, { entries, full: page.full }, since)];
  });
  const stored = await store.append(facts, fence);
  return stored.ok ? ok(new Set(read)) : stored;
};

/**
 * Reads the newest page of each room of which no page was read, a few rooms at a time. Rooms that
 * an answer omits follow later. `reader` reads rooms one by one: those of an answer that had none
 * of them, and all that remain once an answer was too slow, which `pace` remembers, or failed
 * because of one room.
 */
const fetchUnfetched = async (
  ports: Needs,
  leader: LeaderInput,
  { reader, pace }: RoundMemory,
  rooms: readonly RoomKey[],
  cancel: AbortSignal,
): Promise<void> => {
  let remaining = rooms;
  const oneByOne: RoomKey[] = [];
  while (!pace.isSlow) {
    const unfetched = await findUnfetched(leader, remaining);
    if (!unfetched.ok || cancel.aborted) return;
    remaining = unfetched.value.rooms;
    if (remaining.length === 0) break;
    const [some, others] = [
      remaining.slice(0, PREFETCH_BATCH_SIZE),
      remaining.slice(PREFETCH_BATCH_SIZE),
    ];
    const read = await loadTogether(ports, leader, some, unfetched.value.since, cancel);
    pace.isSlow = !read.ok && read.error.kind === 'timeout';
    if (!read.ok && !pace.isSlow && !mayBeOfOneRoom(read.error)) return;
    if (!read.ok) break;
    const omitted = some.filter((room) => !read.value.has(room));
    if (read.value.size === 0) oneByOne.push(...some);
    remaining = read.value.size === 0 ? others : [...others, ...omitted];
  }
  const unfetched = await findUnfetched(leader, [...oneByOne, ...remaining]);
  if (!unfetched.ok) return;
  await reader.read(unfetched.value.rooms, cancel, (room) =>
    loadPage(ports, leader, { room, count: HISTORY_PAGE_SIZE }, cancel),
  );
};

/**
 * Reads the unread messages that this device lacks, up to one page of each room: without them they
 * would not be counted on a new device. A page is requested once: after a failure, the next
 * catch-up requests it again.
 */
const readGaps = async (
  ports: Needs,
  leader: LeaderInput,
  gaps: ReadonlyMap<RoomKey, UnreadGap>,
  reader: RoomReader,
  cancel: AbortSignal,
): Promise<void> => {
  await reader.read([...gaps.keys()], cancel, async (room) => {
    const gap = gaps.get(room);
    if (gap === undefined) return ok(undefined);
    const { after, before } = gap;
    const query = { room, count: CATCH_UP_PAGE_SIZE, after, before };
    return loadPage(ports, leader, query, cancel);
  });
};

/**
 * Prefetches rooms that were never opened, up to `PREFETCH_ROOMS_MAX`, so that they open without a
 * network, and then the unread messages before their newest page; the stream delivers later
 * entries of all rooms. An outage stops it until the next catch-up is done, or the client list or
 * the marks of rooms change.
 */
export const prefetchRooms = (ports: Needs & Pick<Ports, 'clientLog'>) => {
  const memory: RoundMemory = { reader: new RoomReader(1), pace: { isSlow: false } };
  return fromSubscription<never, LeaderInput>((_send, input) => {
    const controller = new AbortController();
    const { signal } = controller;
    /** The last page requested of a room. */
    const requested = new Map<RoomKey, Timetoken>();
    let listed: ReadonlySet<RoomKey> = new Set();
    let wanted: readonly RoomKey[] = [];
    let gaps: ReadonlyMap<RoomKey, UnreadGap> = new Map();
    /** The gaps to read now: the engine refuses rooms that are not in the client list. */
    const takeGaps = (): ReadonlyMap<RoomKey, UnreadGap> => {
      const taken = [...gaps].filter(
        ([room, { before }]) => listed.has(room) && requested.get(room) !== before,
      );
      for (const [room, { before }] of taken) requested.set(room, before);
      return new Map(taken);
    };
    let isRunning = false;
    const run = async (): Promise<void> => {
      if (isRunning) return;
      isRunning = true;
      while (!signal.aborted) {
        const rooms = wanted.slice(0, PREFETCH_ROOMS_MAX);
        wanted = [];
        const open = takeGaps();
        if (rooms.length + open.size === 0) break;
        try {
          await fetchUnfetched(ports, input, memory, rooms, signal);
          await readGaps(ports, input, open, memory.reader, signal);
        } catch (error) {
          reportThrown(ports.clientLog, 'prefetch', error);
        }
      }
      isRunning = false;
    };
    const unwatch = input.store.watchRooms((rooms) => {
      listed = new Set(rooms);
      wanted = rooms;
      void run();
    });
    const unwatchGaps = input.store.watchUnreadGaps((found) => {
      gaps = found;
      void run();
    });
    return () => {
      unwatch();
      unwatchGaps();
      controller.abort();
    };
  });
};
