import { afterEach, describe, expect, it, vi } from 'vitest';

import { type DueRooms, RoomStates, type RoomStatesSource } from '#db/read/room-states.ts';
import { READ_RETRY_MAX_MS, READ_RETRY_MIN_MS } from '#db/schema/limits.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, received, ROOM, roomRead } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

type Newest = Readonly<Record<'newest', Timetoken>>;
const STATES = new Map([[ROOM, { newest: at(1) }]]);

describe('the states of all rooms after a failed query', () => {
  afterEach(() => vi.useRealTimers());

  /** States whose first `failures` reads fail, on a virtual clock. */
  const openFailing = async (failures: number) => {
    const device = createDevice();
    const tab = await device.openTab();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const begun = Promise.withResolvers<undefined>();
    const read = vi.fn<RoomStatesSource<Newest>['read']>((_due, onSnapshot) => {
      begun.resolve(undefined);
      if (read.mock.calls.length <= failures) throw new Error('refused');
      onSnapshot();
      return Promise.resolve(STATES);
    });
    const show = vi.fn<(states: ReadonlyMap<string, unknown>) => void>();
    const states = new RoomStates(tab.database, { read, extend: () => undefined, show });
    // Polling would advance the virtual clock.
    await begun.promise;
    const codes = () => device.lines.map(({ code }) => code);
    return { tab, states, read, show, codes };
  };

  it('are read again without any change, after growing delays', async () => {
    const { tab, read, show, codes } = await openFailing(9);
    let delay = READ_RETRY_MIN_MS;
    for (let reads = 1; reads < 10; reads += 1) {
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect(read).toHaveBeenCalledTimes(reads);
      await vi.advanceTimersByTimeAsync(1);
      expect(read).toHaveBeenCalledTimes(reads + 1);
      delay = Math.min(2 * delay, READ_RETRY_MAX_MS);
    }
    expect(show.mock.calls).toEqual([[STATES]]);
    expect(read.mock.calls.map(([due]) => due)).toEqual(
      Array.from({ length: 10 }, () => undefined),
    );
    expect(codes()).toEqual(Array.from({ length: 9 }, () => 'STORAGE_QUERY_FAILED'));
    tab.close();
  });

  it('are read again at once after the next change', async () => {
    const { tab, read, show } = await openFailing(3);
    await vi.advanceTimersByTimeAsync(3 * READ_RETRY_MIN_MS);
    expect(read).toHaveBeenCalledTimes(3);
    vi.useRealTimers();
    await tab.append([received(at(1))]);
    await untilPasses(() => expect(show).toHaveBeenCalledTimes(1));
    tab.close();
  });

  it('count as read only once a read succeeded', async () => {
    const { tab, states, show } = await openFailing(2);
    let isSettled = false;
    const settled = states.readAnew([]).then(() => {
      isSettled = true;
    });
    await vi.advanceTimersByTimeAsync(READ_RETRY_MIN_MS);
    expect(isSettled).toBe(false);
    await vi.advanceTimersByTimeAsync(2 * READ_RETRY_MIN_MS);
    await settled;
    expect(show).toHaveBeenCalledTimes(1);
    tab.close();
  });

  it('are not read again after the store has ended', async () => {
    const { tab, read } = await openFailing(9);
    tab.close();
    await vi.advanceTimersByTimeAsync(READ_RETRY_MAX_MS);
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe('the states of all rooms, with commits during a read', () => {
  const OTHER = toRoomKey('c_002', 'general');

  /** A state that counts the messages of its room. */
  interface Count {
    readonly newest: Timetoken;
    readonly count: number;
  }

  const FIRST: Count = { newest: at(1), count: 1 };

  interface Read {
    readonly due: DueRooms<Count> | undefined;
    readonly onSnapshot: () => void;
    readonly end: (found: ReadonlyMap<RoomKey, Count>) => void;
  }

  /** States whose reads the test answers. */
  const openCounts = async (followFirst?: (states: () => RoomStates<Count>) => void) => {
    const tab = await createDevice().openTab();
    tab.database.rows.watch(() => followFirst?.(() => states));
    const reads: Read[] = [];
    const shown: unknown[] = [];
    const states: RoomStates<Count> = new RoomStates<Count>(tab.database, {
      read: (due, onSnapshot) => {
        const { promise, resolve: end } = Promise.withResolvers<ReadonlyMap<RoomKey, Count>>();
        reads.push({ due, onSnapshot, end });
        return promise;
      },
      extend: (_room, known, { rows }) => {
        const last = rows.at(-1);
        return last ? { newest: last.timetoken, count: known.count + rows.length } : known;
      },
      show: (counts) => shown.push(Object.fromEntries(counts)),
    });
    /** Answers a read; resolves once its result was shown. */
    const answer = async (read: Read | undefined, found: Partial<Record<RoomKey, Count>>) => {
      const before = shown.length;
      read?.end(new Map(Object.entries(found) as [RoomKey, Count][]));
      await untilPasses(() => expect(shown.length).toBeGreaterThan(before));
    };
    await untilPasses(() => expect(reads).toHaveLength(1));
    return { tab, states, reads, shown, answer };
  };

  it('include the commits after its snapshot, without another read', async () => {
    const { tab, reads, shown, answer } = await openCounts();
    reads[0]?.onSnapshot();
    await tab.append([received(at(2)), received(at(3))]);
    await tab.append([received(at(4))]);
    await answer(reads[0], { [ROOM]: FIRST });
    expect(shown).toEqual([{ [ROOM]: { newest: at(4), count: 4 } }]);
    expect(reads).toHaveLength(1);
    tab.close();
  });

  it('include the commits before its snapshot once', async () => {
    const { tab, reads, shown, answer } = await openCounts();
    await tab.append([received(at(2))]);
    reads[0]?.onSnapshot();
    await tab.append([received(at(3))]);
    await answer(reads[0], { [ROOM]: { newest: at(2), count: 2 } });
    expect(shown).toEqual([{ [ROOM]: { newest: at(3), count: 3 } }]);
    expect(reads).toHaveLength(1);
    tab.close();
  });

  it('include the commits to rooms that it does not read', async () => {
    const { tab, states, reads, shown, answer } = await openCounts();
    await answer(reads[0], { [ROOM]: FIRST, [OTHER]: FIRST });
    const again = states.readAnew([ROOM]);
    await untilPasses(() => expect(reads).toHaveLength(2));
    await tab.append([received(at(2), { room: OTHER })]);
    reads[1]?.onSnapshot();
    await answer(reads[1], { [ROOM]: FIRST });
    await again;
    expect(shown.at(-1)).toEqual({
      [ROOM]: FIRST,
      [OTHER]: { newest: at(2), count: 2 },
    });
    expect(reads).toHaveLength(2);
    tab.close();
  });

  it('are read again only in rooms with earlier messages', async () => {
    const { tab, reads, shown, answer } = await openCounts();
    reads[0]?.onSnapshot();
    await tab.append([received(at(1)), received(at(5), { room: OTHER })]);
    await tab.append([received(at(3))]);
    await answer(reads[0], { [ROOM]: { newest: at(2), count: 1 }, [OTHER]: FIRST });
    // Without the earlier message, the later one would not be the second.
    expect(shown).toMatchObject([{ [ROOM]: { newest: at(2), count: 1 } }]);
    await untilPasses(() => expect(reads).toHaveLength(2));
    expect(reads[1]?.due).toEqual(new Map([[ROOM, undefined]]));
    await answer(reads[1], { [ROOM]: { newest: at(3), count: 3 } });
    expect(shown.at(-1)).toEqual({
      [ROOM]: { newest: at(3), count: 3 },
      [OTHER]: { newest: at(5), count: 2 },
    });
    expect(reads).toHaveLength(2);
    tab.close();
  });

  it('are read again after an earlier message that a read of later ones does not include', async () => {
    const { tab, states, reads, answer } = await openCounts();
    await answer(reads[0], { [ROOM]: { newest: at(2), count: 1 } });
    const again = states.readAfter([ROOM]);
    await tab.append([received(at(1))]);
    await untilPasses(() => expect(reads).toHaveLength(2));
    reads[1]?.onSnapshot();
    await answer(reads[1], { [ROOM]: { newest: at(2), count: 1 } });
    await untilPasses(() => expect(reads).toHaveLength(3));
    expect(reads[2]?.due).toEqual(new Map([[ROOM, undefined]]));
    await answer(reads[2], { [ROOM]: { newest: at(2), count: 2 } });
    await again;
    expect(reads).toHaveLength(3);
    tab.close();
  });

  it('are read once after a commit that adds earlier messages and makes its room due', async () => {
    const { tab, reads, shown, answer } = await openCounts((states) => {
      void states().readAfter([ROOM]);
    });
    await answer(reads[0], { [ROOM]: { newest: at(2), count: 1 } });
    await tab.append([received(at(1))]);
    await untilPasses(() => expect(reads).toHaveLength(2));
    expect(reads[1]?.due).toEqual(new Map([[ROOM, undefined]]));
    reads[1]?.onSnapshot();
    await answer(reads[1], { [ROOM]: { newest: at(2), count: 2 } });
    expect(shown.at(-1)).toEqual({ [ROOM]: { newest: at(2), count: 2 } });
    expect([reads.length, shown.length]).toEqual([2, 2]);
    tab.close();
  });

  it('are not shown again after a commit that changes none of them', async () => {
    const { tab, reads, shown, answer } = await openCounts();
    await answer(reads[0], { [ROOM]: FIRST });
    await tab.append([roomRead(at(1))]);
    await tab.append([received(at(2))]);
    await untilPasses(() => expect(shown).toHaveLength(2));
    expect(shown[1]).toEqual({ [ROOM]: { newest: at(2), count: 2 } });
    tab.close();
  });
});
