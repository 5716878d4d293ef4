import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { catchUp } from '#db/user/catch-up.ts';
import { rebuildProjections } from '#db/log/rebuild.ts';
import { pruneHistory } from '#db/log/retention.ts';
import { unreadOf } from '#db/read/unread-model.ts';
import { listUnreadMarks } from '#db/facts/list-unread-marks.ts';
import { countUnread, toUnread } from '#db/read/unread.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import type { Fact } from '#domain/events.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { findChangedRooms } from '#domain/rules/notification.ts';
import type { Unread, UnreadByRoom } from '#domain/rules/unread.ts';
import { UNREAD_COUNTED_MAX } from '#domain/rules/unread-label.ts';
import { type Timetoken, TIMETOKEN_MAX, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { arbitraryFact } from '#tests/property/arbitrary-facts.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, idAt, ME, received, ROOM, roomRead } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';
import { toRuns } from '#tests/support/property-seed.ts';

import { countReads, countRows } from '../../count-reads.ts';

const began = (timetoken: Timetoken): Fact => ({ type: 'v1.ReadingBegan', timetoken });
/** The device has all entries of all rooms. */
const COMPLETE: Fact = { type: 'v1.StreamCovered', after: TIMETOKEN_ZERO, to: TIMETOKEN_MAX };
const own = (timetoken: Timetoken) => received(timetoken, { publisher: ME });
const recount = async (db: UserDatabase): Promise<UnreadByRoom | undefined> => {
  const counted = await countUnread(db, await listUnreadMarks(db));
  return counted && toUnread(counted);
};

describe('the unread messages in memory', () => {
  afterEach(() => vi.restoreAllMocks());

  const openModel = async (facts: readonly Fact[]) => {
    const device = createDevice();
    const [tab, other] = [await device.openTab(), await device.openTab()];
    await tab.append([COMPLETE, ...facts]);
    const model = unreadOf(tab.database);
    const equal = () =>
      untilPasses(async () => expect(model.get()).toEqual(await recount(tab.database)));
    await equal();
    const close = (): void => [tab, other].forEach((one) => one.close());
    return { tab, db: tab.database, other, model, equal, close };
  };

  it('equal the stored data, after any commits of this tab and others', async () => {
    const step = fc.tuple(fc.boolean(), fc.array(arbitraryFact, { minLength: 1, maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const { tab, other, model, equal, close } = await openModel([]);
        for (const [isElsewhere, facts] of steps) {
          await (isElsewhere ? other : tab).append(facts);
          await equal();
        }
        await rebuildProjections(other.database);
        await equal();
        expect(model.get()).toEqual(await recount(other.database));
        close();
      }),
      { numRuns: toRuns(40) },
    );
  });

  it('equal the stored data, after commits of this tab and others at the same time', async () => {
    const step = fc.tuple(fc.boolean(), fc.array(arbitraryFact, { minLength: 1, maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const { tab, other, model, equal, close } = await openModel([]);
        await Promise.all(
          steps.map(([isElsewhere, facts]) => (isElsewhere ? other : tab).append(facts)),
        );
        await equal();
        expect(model.get()).toEqual(await recount(other.database));
        close();
      }),
      { numRuns: toRuns(40) },
    );
  });

  it('equal the stored data after an answer to some of them that was sent late', async () => {
    const facts = [began(at(0)), ...[1, 3, 5].map((n) => received(at(n)))];
    const { tab, model, equal, close } = await openModel(facts);
    for (const [written, first] of [
      [0, at(1)],
      [3, at(5)],
    ] as const) {
      await tab.append([received(at(90_000 + written), { publisher: ME, id: idAt(written) })]);
      await equal();
      expect(model.get()?.get(ROOM)?.first).toBe(first);
    }
    await tab.append([received(at(99_000), { publisher: ME, id: idAt(6) })]);
    await equal();
    expect(model.get()?.size).toBe(0);
    close();
  });

  it('separate those that were unread at the start from later ones, even before the first count', async () => {
    const [device, earlier, marked] = [
      createDevice(),
      toRoomKey('c_002', 'general'),
      toRoomKey('c_003', 'general'),
    ];
    const tab = await device.openTab();
    const again = received(at(2), { room: earlier, id: 'again' });
    const old = [again, received(at(2), { room: marked }), received(at(2))];
    await tab.append([began(at(1)), ...old]);
    await tab.recordUnread(new Map([[marked, { from: at(1), upTo: at(2) }]]));
    const model = unreadOf(tab.database);
    // None of them was counted when these were stored; one of them is delivered again.
    await tab.append([received(at(3)), received(at(3), { room: marked }), again]);
    await untilPasses(() => expect(model.get()?.get(ROOM)?.count).toBe(2));
    const [start, now] = [model.atStart ?? new Map(), model.get() ?? new Map()];
    tab.close();
    expect(new Set(start.keys())).toEqual(new Set([ROOM, earlier, marked]));
    expect(new Set(findChangedRooms(start, now))).toEqual(new Set([ROOM, marked]));
  });

  it('count as new only if a new message arrived, however many are unread', async () => {
    const many = Array.from({ length: 130 }, (_, n) => received(at(10 * n + 10)));
    const { tab, model, close } = await openModel([began(at(0)), ...many]);
    const findChanged = async (...facts: readonly Fact[]) => {
      const before = model.get() ?? new Map();
      await tab.append(facts);
      await untilPasses(async () => expect(model.get()).toEqual(await recount(tab.database)));
      return findChangedRooms(before, model.get() ?? new Map());
    };
    expect(await findChanged(received(at(1310)))).toEqual([ROOM]);
    // Read in part on another device: more than 100 are still unread, then fewer.
    expect(await findChanged(roomRead(at(100)))).toEqual([]);
    expect(await findChanged(roomRead(at(1200)))).toEqual([]);
    // An older message that was missing, then new ones between two reports.
    expect(await findChanged(received(at(1215)))).toEqual([]);
    expect(await findChanged(roomRead(at(1300)), received(at(1320)))).toEqual([ROOM]);
    close();
  });

  it('follow every mark, whichever tab recorded it and even if it leaves nothing unread', async () => {
    const { tab, other, model, close } = await openModel([
      began(at(0)),
      received(at(1)),
      own(at(2)),
    ]);
    const count = () => model.get()?.get(ROOM)?.count;
    expect(count()).toBeUndefined();
    await tab.recordUnread(new Map([[ROOM, { from: at(0) }]]));
    await catchUp(tab.database, model);
    expect(count()).toBe(1);
    await other.recordUnread(new Map([[ROOM, { from: at(1) }]]));
    await catchUp(tab.database, model);
    expect(count()).toBeUndefined();
    await catchUp(tab.database, model);
    close();
  });

  it.each([1, 300])('need the same reads with %d unread rooms', async (count) => {
    const rooms = Array.from({ length: count }, (_, n) => toRoomKey(`c_${n}`, 'general'));
    const { tab, model, equal, close } = await openModel([
      began(at(0)),
      ...rooms.map((room) => received(at(1), { room })),
    ]);
    expect(model.get()?.size).toBe(count);
    const reads = countReads(tab.database);
    await tab.append([received(at(2))]);
    await untilPasses(() => expect(model.get()?.size).toBe(count + 1));
    // The position from which all rooms count, the activity of the room, its messages, its pages,
    // the segments and floors, and the leader, who extends the last segment.
    expect(reads()).toBe(7);
    await tab.append([roomRead(at(2))]);
    await untilPasses(() => expect(model.get()?.size).toBe(count));
    await tab.append([received(at(3)), received(at(4))]);
    await untilPasses(() => expect(model.get()?.get(ROOM)?.count).toBe(2));
    // Writes of this page to a known room are applied without a read.
    expect(reads()).toBe(0);
    await equal();
    close();
  });

  /**
   * A room with many unread messages; the result of `append` is the number of rows that were read.
   */
  const openLong = async (count: number) => {
    const many = Array.from({ length: count }, (_, n) => received(at(10 * n + 10)));
    const opened = await openModel([began(at(0)), ...many]);
    const read = countRows(opened.db);
    const append = async (facts: readonly Fact[], expected: Partial<Unread> | undefined) => {
      read();
      await opened.tab.append(facts);
      await untilPasses(() => {
        const found = opened.model.get()?.get(ROOM);
        if (expected === undefined) expect(found).toBeUndefined();
        else expect(found).toMatchObject(expected);
      });
      return read();
    };
    return { ...opened, append };
  };

  it.each([40, 4000])(
    'are counted onwards from the newest of %d messages: ten more cause no read',
    async (count) => {
      const { append, equal, close } = await openLong(count);
      // An outgoing message first, so that the unread count is below the limit of counting.
      expect(await append([own(at(10 * count + 11))], undefined)).toBe(0);
      for (let n = 1; n <= 10; n += 1) {
        const expected = { count: n, first: at(10 * count + 20) };
        expect(await append([received(at(10 * count + 19 + n))], expected)).toBe(0);
      }
      await equal();
      close();
    },
  );

  it('count a room again after a message before the newest one, a repeated or a pruned one', async () => {
    const { tab, db, append, equal, close } = await openLong(40);
    const first = at(10);
    expect(await append([received(at(401))], { count: 41, first })).toBeLessThan(10);
    expect(await append([received(at(5))], { count: 42, first: at(5) })).toBeGreaterThan(40);
    // The same message seen at two positions: the smaller one counts.
    await append([received(at(410), { id: 'x' })], { count: 43 });
    await append([received(at(3), { id: 'x' })], { count: 43, first: at(3) });
    await equal();
    await tab.takeFence('t', 1);
    await pruneHistory(db, 1, Date.now());
    await equal();
    close();
  });

  it("are counted again from the user's own message and from a read position, wherever it is", async () => {
    const { append, equal, close } = await openLong(120);
    const count = UNREAD_COUNTED_MAX;
    await append([received(at(1201))], { count, first: at(10) });
    await append([roomRead(at(400))], { count: 81, first: at(410) });
    await append([own(at(1155))], { count: 6, first: at(1160) });
    await append([own(at(1210)), received(at(1211))], { count: 1, first: at(1211) });
    await append([received(at(1212))], { count: 2, first: at(1211) });
    await append([roomRead(at(1212))], undefined);
    expect(await append([received(at(1213))], { count: 1, first: at(1213) })).toBeLessThan(10);
    await equal();
    close();
  });
});
