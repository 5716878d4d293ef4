import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { rebuildProjections } from '#db/log/rebuild.ts';
import { makeReadSpace, makeSpace, pruneHistory } from '#db/log/retention.ts';
import { listUnreadMarks } from '#db/facts/list-unread-marks.ts';
import { countUnread, toUnread } from '#db/read/unread.ts';
import type { Fact } from '#domain/events.ts';
import { RETENTION_AGE_MS, RETENTION_KEPT_ALWAYS, RETENTION_KEPT_MAX } from '#domain/limits.ts';
import { toUnreadValue } from '#domain/schemas/unread-mark.ts';
import { nextTimetoken } from '#domain/timetoken.ts';
import { arbitraryFact } from '#tests/property/arbitrary-facts.ts';
import { createDevice } from '#tests/support/device.ts';
import {
  at,
  failed,
  ME,
  page,
  published,
  queued,
  received,
  ROOM,
  roomRead,
} from '#tests/support/facts.ts';
import { toRuns } from '#tests/support/property-seed.ts';

import { dumpProjections, listStored } from '../dump.ts';

/** The first moment of the test's room, ms since the epoch. */
const START_MS = 1_700_000_000_000;
const OTHER = 'c_002/team';

const filled = async (count: number) => {
  const device = createDevice();
  const tab = await device.openTab();
  await tab.takeFence('tab-1', 0);
  const facts: Fact[] = Array.from({ length: count }, (_, n) => received(at(n)));
  await tab.append([...facts, page(at(0), at(count - 1), true)]);
  const places = async () => (await listStored(tab.database)).map(({ timetoken }) => timetoken);
  return { device, tab, db: tab.database, places };
};

describe('pruneHistory', () => {
  it('keeps recent messages within the maximum', async () => {
    const { db, places } = await filled(300);
    expect(await pruneHistory(db, 1, START_MS + 1000)).toBe(0);
    expect(await places()).toHaveLength(300);
  });

  it('keeps the newest whatever their age, and prunes older ones past the age limit', async () => {
    const { db, tab, places } = await filled(300);
    const gone = await pruneHistory(db, 1, START_MS + RETENTION_AGE_MS + 1000);
    expect(gone).toBe(300 - RETENTION_KEPT_ALWAYS);
    expect((await places())[0]).toBe(at(gone));
    expect(await tab.findCoverage(ROOM)).toEqual({
      ok: true,
      value: {
        room: ROOM,
        ranges: [{ from: nextTimetoken(at(gone - 1)), to: at(299) }],
        reachedStart: false,
      },
    });
  });

  it('never keeps more of a room than the maximum, in the tables and in the log', async () => {
    const count = RETENTION_KEPT_MAX + 700;
    const { db, places } = await filled(count);
    expect(await pruneHistory(db, 1, START_MS)).toBe(700);
    expect(await places()).toHaveLength(RETENTION_KEPT_MAX);
    expect(await db.log.count()).toBe(1);
  });

  it('never affects unsent messages or another room', async () => {
    const { db, tab } = await filled(300);
    await tab.append([
      queued('waiting', { at: 1 }),
      queued('refused'),
      failed('refused', 2),
      received(at(1), { room: OTHER, publisher: ME, id: 'elsewhere' }),
      { ...page(at(1), at(1)), room: OTHER },
    ]);
    await pruneHistory(db, 1, START_MS + RETENTION_AGE_MS + 1000);
    expect((await db.outbox.toArray()).map(({ id, state }) => `${id} ${state}`)).toEqual([
      'refused failed',
      'waiting queued',
    ]);
    expect((await listStored(db)).filter(({ room }) => room === OTHER)).toHaveLength(1);
  });

  it("prunes the user's own messages with all their facts, including late copies", async () => {
    const { db, tab } = await filled(10);
    await tab.append([queued('mine'), published('mine', nextTimetoken(at(3)))]);
    await tab.append([received(nextTimetoken(at(3)), { publisher: ME, id: 'mine' })]);
    await tab.append([received(nextTimetoken(at(9)), { publisher: ME, id: 'mine' })]);
    await tab.append(Array.from({ length: 200 }, (_, n) => received(at(n + 20))));
    await pruneHistory(db, 1, START_MS + RETENTION_AGE_MS + 1000);
    const keys = (await db.log.toArray()).map(({ key }) => key);
    expect(keys.filter((key) => key.includes('mine'))).toEqual([]);
    expect(keys).not.toContain(`copy|${ROOM}|${nextTimetoken(at(9))}`);
    const before = await dumpProjections(db);
    await rebuildProjections(db);
    expect(await dumpProjections(db)).toEqual(before);
  });

  it.each(['@', `@${at(3)}`, 'a|b', '|', '%7C', 'queued|x'])(
    'prunes messages with the id %j with all their facts',
    async (id) => {
      const { db, tab } = await filled(RETENTION_KEPT_ALWAYS);
      const early = nextTimetoken(at(-1));
      await tab.append([
        received(early, { id }),
        received(nextTimetoken(early), { id }),
        received(nextTimetoken(nextTimetoken(early)), { id, publisher: 'u_|' }),
      ]);
      expect(await pruneHistory(db, 1, START_MS + RETENTION_AGE_MS + 1000)).toBe(2);
      expect(await db.log.where('key').startsWith('copy|').count()).toBe(0);
      expect(await db.entries.count()).toBe(RETENTION_KEPT_ALWAYS);
      const before = await dumpProjections(db);
      await rebuildProjections(db);
      expect(await dumpProjections(db)).toEqual(before);
    },
  );

  it('prunes further copies whose messages are gone', async () => {
    const { db, tab } = await filled(RETENTION_KEPT_ALWAYS + 30);
    await tab.append([received(nextTimetoken(at(1)), { id: 'twice' })]);
    await tab.append([received(nextTimetoken(at(5)), { id: 'twice' })]);
    await db.entries.limit(15).delete();
    expect(await pruneHistory(db, 1, START_MS + RETENTION_AGE_MS + 1000)).toBe(16);
    expect(await db.log.where('key').startsWith('copy|').count()).toBe(0);
    const before = await dumpProjections(db);
    await rebuildProjections(db);
    expect(await dumpProjections(db)).toEqual(before);
    expect(await db.entries.count()).toBe(RETENTION_KEPT_ALWAYS);
  });

  it('prunes unreadable messages with their facts and their coverage', async () => {
    const { db, tab } = await filled(RETENTION_KEPT_ALWAYS);
    await tab.append([queued('mine'), published('mine', at(-2))]);
    await tab.append([received(at(-3), { publisher: ME, id: 'other' }), page(at(-9), at(-1))]);
    for (const { k, f } of await db.entries.limit(2).toArray()) {
      await db.entries.put({ k, ...(f !== undefined && { f }), v: 1 });
    }
    expect(await pruneHistory(db, 1, START_MS + RETENTION_AGE_MS + 1000)).toBe(2);
    expect((await db.log.toArray()).filter(({ key }) => key.includes('mine'))).toEqual([]);
    expect(await tab.findCoverage(ROOM)).toMatchObject({
      value: { ranges: [{ from: nextTimetoken(at(-2)) }] },
    });
  });

  it('reads no message that it keeps, however much it prunes', async () => {
    const count = RETENTION_KEPT_ALWAYS + 1500;
    const { db } = await filled(count);
    let read = 0;
    db.entries.hook('reading', (row) => {
      read += 1;
      return row;
    });
    expect(await pruneHistory(db, 1, START_MS + RETENTION_AGE_MS + 9000)).toBe(1500);
    expect(read).toBe(1500);
  });

  it('also prunes messages that arrive meanwhile', async () => {
    const { db, tab } = await filled(RETENTION_KEPT_ALWAYS + 300);
    const late = Array.from({ length: 5 }, (_, n) =>
      received(nextTimetoken(at(n)), { id: `l${n}` }),
    );
    const now = START_MS + RETENTION_AGE_MS + 99_000;
    const pruning = pruneHistory(db, 1, now);
    await tab.append([...late, received(nextTimetoken(at(400)), { id: 'l0' })]);
    await pruning;
    await pruneHistory(db, 1, now);
    const before = await dumpProjections(db);
    await rebuildProjections(db);
    expect(await dumpProjections(db)).toEqual(before);
    expect(await db.entries.count()).toBe(RETENTION_KEPT_ALWAYS);
  });

  it('runs in the leading tab only', async () => {
    const { db, tab, places } = await filled(300);
    await tab.takeFence('tab-2', 1);
    expect(await tab.prune(1, START_MS + 2 * RETENTION_AGE_MS)).toEqual({
      ok: false,
      error: { kind: 'fenced' },
    });
    expect(await places()).toHaveLength(300);
    expect(await db.log.count()).toBe(1);
  });
});

describe('space on a full disk', () => {
  it('comes from read messages first, down to one page of a room', async () => {
    const tab = await createDevice().openTab();
    const many = Array.from({ length: 150 }, (_, n) => n + 1);
    await tab.append([
      { type: 'v1.ReadingBegan', timetoken: at(0) },
      ...many.map((n) => received(at(n))),
      ...many.map((n) => received(at(n), { room: OTHER })),
      roomRead(at(90)),
      roomRead(at(148), OTHER),
    ]);
    const count = async () => {
      const marks = await listUnreadMarks(tab.database);
      return Object.fromEntries(toUnread((await countUnread(tab.database, marks)) ?? new Map()));
    };
    const before = await count();
    expect(before).toMatchObject({ [ROOM]: { count: 60 }, [OTHER]: { count: 2 } });
    expect(await makeReadSpace(tab.database)).toEqual({ pruned: 89 + 125, unread: [ROOM, OTHER] });
    expect(await count()).toEqual(before);
    expect(await makeSpace(tab.database, [OTHER])).toBe(0);
    expect(await makeSpace(tab.database, [ROOM])).toBe(61 - 25);
  });

  it('comes from unread messages beyond those that are counted', async () => {
    const tab = await createDevice().openTab();
    await tab.append([
      { type: 'v1.ReadingBegan', timetoken: at(0) },
      ...Array.from({ length: 130 }, (_, n) => received(at(n + 1))),
      {
        type: 'v1.RoomMarked',
        kind: 'unread',
        room: ROOM,
        turn: 1,
        value: toUnreadValue({ from: at(0), upTo: at(130) }),
      },
    ]);
    expect(await makeReadSpace(tab.database)).toEqual({ pruned: 30, unread: [ROOM] });
  });
});

describe('a pruned log', () => {
  it('rebuilds the same tables that pruning left', async () => {
    const batches = fc.array(fc.array(arbitraryFact, { maxLength: 8 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(batches, async (facts) => {
        const tab = await createDevice().openTab();
        const old = Array.from({ length: 60 }, (_, n) => received(at(n)));
        await tab.append([...old, page(at(0), at(59), true)]);
        for (const batch of facts) await tab.append(batch);
        await makeSpace(tab.database);
        const before = await dumpProjections(tab.database);
        await rebuildProjections(tab.database);
        expect(await dumpProjections(tab.database)).toEqual(before);
        tab.close();
      }),
      { numRuns: toRuns(40) },
    );
  });
});
