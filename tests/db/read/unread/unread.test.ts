import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { rebuildProjections } from '#db/log/rebuild.ts';
import { pruneHistory } from '#db/log/retention.ts';
import { listUnreadMarks } from '#db/facts/list-unread-marks.ts';
import { countUnread, toUnread } from '#db/read/unread.ts';
import type { Fact, FactOf } from '#domain/events.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { UNREAD_COUNTED_MAX } from '#domain/rules/unread-label.ts';
import { toUnreadValue } from '#domain/schemas/unread-mark.ts';
import {
  previousTimetoken,
  type Timetoken,
  TIMETOKEN_MAX,
  TIMETOKEN_ZERO,
} from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, idAt, ME, published, queued, received, ROOM, roomRead } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';
import { toRuns } from '#tests/support/property-seed.ts';

const OTHER = toRoomKey('c_002', 'general');
const began = (timetoken: Timetoken): Fact => ({ type: 'v1.ReadingBegan', timetoken });
const markedUnread = (from: Timetoken, upTo: Timetoken): FactOf<'v1.RoomMarked'> => ({
  type: 'v1.RoomMarked',
  kind: 'unread',
  room: ROOM,
  turn: 1,
  value: toUnreadValue({ from, upTo }),
});
const isEntry = ({ type }: Fact): boolean => type === 'v1.MessageReceived';
/** One unread message. */
const one = (n: number) => ({ count: 1, first: at(n), newest: at(n) });
const own = (timetoken: Timetoken) => received(timetoken, { publisher: ME });

/** The device has all entries of all rooms. */
const COMPLETE: Fact = { type: 'v1.StreamCovered', after: TIMETOKEN_ZERO, to: TIMETOKEN_MAX };

const openWith = async (facts: readonly Fact[]) => {
  const tab = await createDevice().openTab();
  await tab.append([COMPLETE, ...facts]);
  const list = async () => {
    const marks = await listUnreadMarks(tab.database);
    return Object.fromEntries(toUnread((await countUnread(tab.database, marks)) ?? new Map()));
  };
  return { tab, db: tab.database, list };
};

describe('counting unread messages', () => {
  it('counts messages of others after the read position, and returns the first', async () => {
    const { tab, list } = await openWith([
      began(at(0)),
      ...[1, 2, 3].map((n) => received(at(n))),
      received(at(2), { room: OTHER }),
    ]);
    expect(await list()).toEqual({
      [ROOM]: { count: 3, first: at(1), newest: at(3) },
      [OTHER]: one(2),
    });
    await tab.append([roomRead(at(2))]);
    expect(await list()).toMatchObject({ [ROOM]: { count: 1, first: at(3) } });
    await tab.append([roomRead(at(3)), roomRead(at(1)), roomRead(at(2), OTHER)]);
    expect(await list()).toEqual({});
  });

  it('counts what others wrote before an answer that was sent late was stored', async () => {
    const { tab, list } = await openWith([
      began(at(0)),
      received(at(1)),
      queued(idAt(2)),
      received(at(5)),
    ]);
    const LATE = 90_000;
    await tab.append([published(idAt(2), at(LATE))]);
    expect(await list()).toEqual({ [ROOM]: one(5) });
    await tab.append([received(at(LATE), { publisher: ME, id: idAt(2) })]);
    expect(await list()).toEqual({ [ROOM]: one(5) });
    // Sent at once, it answers everything before it.
    const next = received(at(LATE + 50_000), { publisher: ME, id: idAt(LATE) });
    await tab.append([next]);
    expect(await list()).toEqual({});
  });

  it('counts nothing as unread before reading began, nor messages from before it', async () => {
    const { tab, list } = await openWith([received(at(1)), received(at(5))]);
    expect(await list()).toEqual({});
    await tab.append([began(at(5))]);
    expect(await list()).toEqual({});
    await tab.append([received(at(3)), received(at(6)), began(at(9))]);
    expect(await list()).toEqual({ [ROOM]: one(6) });
  });

  it("treats the user's own message, from any device, as proof that all before it was read", async () => {
    const { tab, list } = await openWith([began(at(0)), received(at(1)), own(at(2))]);
    expect(await list()).toEqual({});
    await tab.append([received(at(3)), queued('a'), published('a', at(4)), received(at(5))]);
    expect(await list()).toEqual({ [ROOM]: one(5) });
  });

  it('counts only up to the shown maximum, yet finds the first one and outgoing ones beyond it', async () => {
    const many = Array.from({ length: 150 }, (_, n) => received(at(n + 1)));
    const { tab, list } = await openWith([began(at(0)), ...many]);
    expect(await list()).toEqual({
      [ROOM]: { count: UNREAD_COUNTED_MAX, first: at(1), newest: at(150) },
    });
    await tab.append([own(at(200)), received(at(201))]);
    expect(await list()).toEqual({ [ROOM]: one(201) });
  });

  it('counts a message with several timetokens once', async () => {
    const copies = [2, 4].map((n) => received(at(n), { id: 'x' }));
    const { tab, list } = await openWith([began(at(0)), ...copies]);
    expect(await list()).toEqual({ [ROOM]: one(2) });
    await tab.append([roomRead(at(2))]);
    expect(await list()).toEqual({});
  });

  it('counts from a message marked as unread, until that message is read again', async () => {
    const { tab, list } = await openWith([
      began(at(5)),
      ...[1, 2, 3, 7, 8].map((n) => received(at(n))),
      own(at(4)),
      roomRead(at(8)),
    ]);
    const markUnread = (place: number) =>
      tab.recordUnread(new Map([[ROOM, { from: previousTimetoken(at(place)) }]]));
    const readTo = async (position: Timetoken | undefined): Promise<void> => {
      const found = await tab.findRead(new Map([[ROOM, position]]));
      await tab.append(found.ok ? found.value : []);
    };
    await markUnread(2);
    // Neither an earlier message of the user nor the start of reading on this device changes that.
    expect(await list()).toMatchObject({ [ROOM]: { count: 4, first: at(2) } });
    await tab.append([received(at(9))]);
    expect(await list()).toMatchObject({ [ROOM]: { count: 5, first: at(2) } });
    await readTo(at(3));
    expect(await list()).toMatchObject({ [ROOM]: { count: 3, first: at(7) } });
    await tab.append([own(at(10)), received(at(11))]);
    expect(await list()).toEqual({ [ROOM]: one(11) });
    await readTo(undefined);
    expect(await list()).toEqual({});
    await markUnread(11);
    expect(await list()).toMatchObject({ [ROOM]: { count: 1, first: at(11) } });
    await readTo(at(11));
    expect(await list()).toEqual({});
  });

  it("names every mark, and counts the user's messages after a given end as answers", async () => {
    const { tab, list } = await openWith([began(at(0)), received(at(1)), received(at(2))]);
    const mark = (upTo?: Timetoken) =>
      tab.recordUnread(new Map([[ROOM, { from: at(0), ...(upTo && { upTo }) }]]));
    const names = new Set<string | undefined>();
    for (let count = 1; count <= 3; count += 1) {
      await mark();
      names.add((await list())[ROOM]?.markId);
      expect(names.size).toBe(count);
    }
    await tab.append([own(at(3))]);
    await mark(at(1));
    expect(await list()).toEqual({});
  });

  it('does not mark a room as unread if it has no stored message, or no later one', async () => {
    const { tab, db, list } = await openWith([began(at(0)), received(at(1)), roomRead(at(1))]);
    const before = await db.log.count();
    await tab.recordUnread(
      new Map([
        [ROOM, { from: at(1) }],
        [OTHER, { from: at(0) }],
      ]),
    );
    expect(await list()).toEqual({});
    expect(await db.log.count()).toBe(before);
  });

  it('is the same after a rebuild, after pruning, and in any order', async () => {
    const moment = fc.integer({ min: 0, max: 12 }).map(at);
    const fact = fc.oneof(
      moment.map((place) => received(place)),
      moment.map((place) => own(place)),
      moment.map((place) => roomRead(place)),
      fc.tuple(moment, moment).map(([from, upTo]) => markedUnread(from, upTo)),
    );
    // A position of a log holds one entry.
    const facts = fc.uniqueArray(fact, {
      selector: (one) =>
        `${isEntry(one) ? 'm' : one.type}${'value' in one ? one.value : one.timetoken}`,
    });
    const shuffled = facts.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ([some, others]) => {
        const { tab, db, list } = await openWith([began(at(0)), ...some]);
        const before = await list();
        const elsewhere = await openWith([...others, began(at(0))]);
        expect(await elsewhere.list()).toEqual(before);
        await tab.takeFence('t', 1);
        await pruneHistory(db, 1, 1_700_000_000_000);
        expect(await list()).toEqual(before);
        await rebuildProjections(db);
        expect(await list()).toEqual(before);
      }),
      { numRuns: toRuns(60) },
    );
  });

  it('begins at the earliest of several positions, in whatever order they arrive', async () => {
    const unread = [received(at(2)), received(at(4))];
    const { db, list } = await openWith([began(at(3)), ...unread, began(at(1))]);
    const found = await list();
    const elsewhere = await openWith([began(at(1)), ...unread, began(at(3))]);
    expect(await elsewhere.list()).toEqual(found);
    expect(found).toMatchObject({ [ROOM]: { count: 2, first: at(2) } });
    await rebuildProjections(db);
    expect(await list()).toEqual(found);
  });

  it('keeps only the newest read position of each room in the log', async () => {
    const reads = [
      roomRead(at(1)),
      roomRead(at(2)),
      roomRead(at(3), OTHER),
      roomRead(at(1), OTHER),
    ];
    const { tab, db } = await openWith([began(at(0)), received(at(1)), ...reads]);
    await tab.takeFence('t', 1);
    await pruneHistory(db, 1, 1_700_000_000_000);
    const keys = await db.log.where('key').startsWithAnyOf('began', 'read').keys();
    expect(keys).toEqual([`began|${at(0)}`, `read|${ROOM}|${at(2)}`, `read|${OTHER}|${at(3)}`]);
  });

  it('is rebuilt from the log if a row is unreadable', async () => {
    const { db, list } = await openWith([
      began(at(0)),
      received(at(1)),
      received(at(2)),
      roomRead(at(1)),
    ]);
    const before = await list();
    await db.table('activity').put({ room: ROOM, newest: at(2), pending: 1, v: 1 });
    await db.table('activity').put({ room: '*', readUpTo: 'never', v: 1 });
    await list();
    await untilPasses(async () => expect(await list()).toEqual(before));
  });
});
