import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import { CATCH_UP_PAGE_SIZE, HISTORY_PAGE_SIZE } from '#domain/limits.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { fail, ok, type Result } from '#domain/result.ts';
import type { UnreadGap } from '#domain/ports/storage.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';

import { reportThrown } from '../kit/answer.ts';
import { fromSubscription } from '../kit/from-subscription.ts';
import { PREFETCH_BATCH_SIZE, PREFETCH_ROOMS_MAX } from '../kit/leader-limits.ts';
import { loadPage, toPageFacts } from '../history/load-page.ts';
import { mayBeOfOneRoom, RoomReader } from './read-rooms.ts';
import type { LeaderInput } from '../kit/inputs.ts';

type Needs = Pick<Ports, 'realtime'>;

/** What a tab remembers between rounds. */
interface RoundMemory {
  readonly reader: RoomReader;
  /** The positions after which rooms beyond `PREFETCH_ROOMS_MAX` had no entry. */
  readonly counted: Map<RoomKey, Timetoken>;
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
    const found = page && toPageFacts({ room, count: HISTORY_PAGE_SIZE }, page, since);
    if (found === undefined) return [];
    read.push(room);
    return [...found.messages, found.coverage];
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
 * Of rooms beyond the maximum, those with entries after these positions: on a new device they would
 * not count as unread. Up to `PREFETCH_ROOMS_MAX`; `counted` remembers the rooms without any.
 */
const findUnread = async (
  { realtime }: Needs,
  leader: LeaderInput,
  counted: Map<RoomKey, Timetoken>,
  since: ReadonlyMap<RoomKey, Timetoken>,
  cancel: AbortSignal,
): Promise<readonly RoomKey[]> => {
  const uncounted = [...since].filter(([room, after]) => counted.get(room) !== after);
  const unfetched = await findUnfetched(
    leader,
    uncounted.map(([room]) => room),
  );
  if (!unfetched.ok || unfetched.value.rooms.length === 0) return [];
  const asked = new Set(unfetched.value.rooms);
  const counts = await realtime.countSince(
    new Map(uncounted.filter(([room]) => asked.has(room))),
    cancel,
  );
  if (!counts.ok) return [];
  for (const [room, after] of uncounted) {
    if (counts.value.get(room) === 0) counted.set(room, after);
  }
  const unread = unfetched.value.rooms.filter((room) => (counts.value.get(room) ?? 0) > 0);
  return unread.slice(0, PREFETCH_ROOMS_MAX);
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
 * Prefetches up to `PREFETCH_ROOMS_MAX` rooms that were never opened, so that they open without a
 * network. Once it is known where reading began, as many others with unread entries follow. Unread
 * messages that are older than the page of their room come last. The stream delivers later entries
 * of all rooms. An outage stops it until the next catch-up is done, or the client list or the marks
 * of rooms change.
 */
export const prefetchRooms = (ports: Needs & Pick<Ports, 'clientLog'>) => {
  const memory: RoundMemory = {
    reader: new RoomReader(1),
    counted: new Map(),
    pace: { isSlow: false },
  };
  return fromSubscription<never, LeaderInput>((_send, input) => {
    const controller = new AbortController();
    const { signal } = controller;
    /** The last page requested of a room. */
    const requested = new Map<RoomKey, Timetoken>();
    let listed: ReadonlySet<RoomKey> = new Set();
    let wanted: readonly RoomKey[] = [];
    let others: readonly RoomKey[] = [];
    let gaps: ReadonlyMap<RoomKey, UnreadGap> = new Map();
    /** The gaps to read now: the engine refuses rooms that are not in the client list. */
    const takeGaps = (): ReadonlyMap<RoomKey, UnreadGap> => {
      const taken = [...gaps].filter(
        ([room, { before }]) => listed.has(room) && requested.get(room) !== before,
      );
      for (const [room, { before }] of taken) requested.set(room, before);
      return new Map(taken);
    };
    /** The other rooms to read now: counted once, like a page that is requested once. */
    const takeUnread = async (): Promise<readonly RoomKey[]> => {
      const rooms = others;
      if (rooms.length === 0) return [];
      const since = await input.store.findReadUpTo(rooms);
      if (!since.ok || since.value === undefined) return [];
      if (others === rooms) others = [];
      return findUnread(ports, input, memory.counted, since.value, signal);
    };
    let isRunning = false;
    let isDue = false;
    const run = async (): Promise<void> => {
      isDue = true;
      if (isRunning) return;
      isRunning = true;
      while (isDue && !signal.aborted) {
        isDue = false;
        const first = wanted;
        wanted = [];
        const open = takeGaps();
        try {
          if (first.length > 0) await fetchUnfetched(ports, input, memory, first, signal);
          const unread = await takeUnread();
          if (unread.length > 0) await fetchUnfetched(ports, input, memory, unread, signal);
          await readGaps(ports, input, open, memory.reader, signal);
        } catch (error) {
          reportThrown(ports.clientLog, 'prefetch', error);
        }
      }
      isRunning = false;
    };
    const unwatch = input.store.watchRooms((rooms) => {
      listed = new Set(rooms);
      wanted = rooms.slice(0, PREFETCH_ROOMS_MAX);
      others = rooms.slice(PREFETCH_ROOMS_MAX);
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
