import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { toPositionKey } from '#db/facts/entry-row.ts';
import { pruneOwn } from '#db/log/prune-own.ts';
import { rebuildProjections } from '#db/log/rebuild.ts';
import { makeSpace, pruneHistory } from '#db/log/retention.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { ACCEPTED_KEPT, PRUNE_CHUNK_SIZE } from '#db/schema/limits.ts';
import { FencedError } from '#db/schema/storage-errors.ts';
import { ROW_VERSION } from '#db/schema/tables.ts';
import type { Fact } from '#domain/events.ts';
import { RETENTION_AGE_MS, RETENTION_KEPT_ALWAYS } from '#domain/limits.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { nextTimetoken, previousTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { arbitraryFact } from '#tests/property/arbitrary-facts.ts';
import { createDevice } from '#tests/support/device.ts';
import {
  at,
  attempted,
  failed,
  ME,
  page,
  published,
  queued,
  received,
  ROOM,
} from '#tests/support/facts.ts';
import { toRuns } from '#tests/support/property-seed.ts';

import { dumpProjections, listStored } from '../dump.ts';
import { abortForQuota } from '../user/open-on-disk.ts';

/** Ids rise as they do in the product. */
const toId = (n: number): string => `m${String(n).padStart(5, '0')}`;

const echoOf = (id: string, timetoken: Timetoken) =>
  received(timetoken, { publisher: ME, id, text: `text of ${id}` });

/** The facts of a message that the user sent and the engine returned. */
const toSent = (n: number): readonly Fact[] => [
  queued(toId(n)),
  attempted(toId(n), at(0)),
  published(toId(n), at(n + 1)),
  echoOf(toId(n), at(n + 1)),
];

/** A tab with `count` messages that were sent and returned, and `newest` later ones. */
const openSent = async (count: number, newest = ACCEPTED_KEPT) => {
  const device = createDevice();
  const tab = await device.openTab();
  await tab.takeFence('tab-1', 0);
  const all = Array.from({ length: count + newest }, (_, n) => toSent(n)).flat();
  await tab.append(all);
  return { device, tab, db: tab.database };
};

const listLogged = async (db: UserDatabase): Promise<readonly string[]> =>
  (await db.log.toArray()).map(({ key }) => key);

const listNaming = async (db: UserDatabase, id: string): Promise<readonly string[]> =>
  (await listLogged(db)).filter((key) => key.includes(id));

/** Expects that a rebuild changes no table. */
const expectRebuilt = async (db: UserDatabase): Promise<void> => {
  const before = await dumpProjections(db);
  await rebuildProjections(db);
  expect(await dumpProjections(db)).toEqual(before);
};

describe('pruneOwn', () => {
  it('leaves a returned message stored once, except for the newest ones', async () => {
    const { db } = await openSent(3);
    const before = await dumpProjections(db);
    await pruneHistory(db, 1, 0);
    for (const n of [0, 1, 2]) expect(await listNaming(db, toId(n))).toEqual([]);
    expect(await listNaming(db, toId(3))).toHaveLength(3);
    expect(await db.log.count()).toBe(3 * ACCEPTED_KEPT);
    expect(await dumpProjections(db)).toEqual(before);
    await expectRebuilt(db);
  });

  it('prunes no fact of a message that is unsent, refused or only acknowledged', async () => {
    const { tab, db } = await openSent(0);
    await tab.append([
      queued('a waiting'),
      queued('a refused'),
      failed('a refused', 2),
      queued('an acknowledged'),
      published('an acknowledged', at(9000)),
    ]);
    const before = await listLogged(db);
    await pruneOwn(db, 1);
    expect(await listLogged(db)).toEqual(before);
    await tab.append([echoOf('an acknowledged', at(9000))]);
    await pruneOwn(db, 1);
    expect(await listNaming(db, 'an acknowledged')).toEqual([]);
    expect(await listNaming(db, 'a refused')).toHaveLength(2);
    await expectRebuilt(db);
  });

  it('prunes no fact of a message that is queued although it was returned', async () => {
    const { db } = await openSent(1);
    // A power cut can leave this state.
    const item = { id: toId(0), room: ROOM, seq: 1, text: 'text', uid: ME, at: 1, v: ROW_VERSION };
    await db.outbox.put({ ...item, state: 'queued' });
    const before = await listLogged(db);
    await pruneOwn(db, 1);
    expect(await listLogged(db)).toEqual(before);
  });

  it.each([
    ['is unreadable', 1],
    ['is of a newer version', ROW_VERSION + 1],
  ])('prunes no fact of a message whose entry %s', async (_, v) => {
    const { db } = await openSent(1);
    const stored = await db.entries.get(toPositionKey(ROOM, at(1)));
    if (stored === undefined) throw new Error('not stored');
    const { t: _text, ...rest } = stored;
    await db.entries.put({ ...rest, v });
    await pruneOwn(db, 1);
    expect(await listNaming(db, toId(0))).toHaveLength(3);
  });

  it('leads to a fetch, not to a resend, if the entry is damaged afterwards', async () => {
    const { tab, db } = await openSent(1);
    await tab.append([page(at(0), at(2))]);
    await pruneOwn(db, 1);
    await db.entries.put({ k: toPositionKey(ROOM, at(1)), v: 1 });
    await rebuildProjections(db);
    expect(await db.outbox.count()).toBe(0);
    expect(await db.entries.get(toPositionKey(ROOM, at(1)))).toBeUndefined();
    expect(await tab.findCoverage(ROOM)).toMatchObject({
      value: {
        ranges: [
          { from: at(0), to: previousTimetoken(at(1)) },
          { from: nextTimetoken(at(1)), to: at(2) },
        ],
      },
    });
    await tab.append([echoOf(toId(0), at(1))]);
    expect(await listStored(db)).toHaveLength(1 + ACCEPTED_KEPT);
    await expectRebuilt(db);
  });

  it('does not let a message that is accepted once more be sent again', async () => {
    const { tab, db } = await openSent(1);
    await pruneOwn(db, 1);
    await tab.append([queued(toId(0)), attempted(toId(0), at(0))]);
    expect(await db.outbox.count()).toBe(0);
    await expectRebuilt(db);
    await pruneOwn(db, 1);
    expect(await listNaming(db, toId(0))).toEqual([]);
  });

  it.each([0, 1, 2])('keeps one message if it is acknowledged late, at %i', async (n) => {
    const { tab, db } = await openSent(1);
    const count = (await listStored(db)).length;
    await pruneOwn(db, 1);
    // Its echo is at 1.
    await tab.append([published(toId(0), n === 2 ? at(8000) : at(n))]);
    expect(await listStored(db)).toHaveLength(count);
    const own = (await listStored(db)).filter(({ key }) => key.endsWith(toId(0)));
    expect(own.map(({ timetoken }) => timetoken)).toEqual([at(Math.min(n, 1))]);
    expect(await db.outbox.count()).toBe(0);
    await expectRebuilt(db);
  });

  it('keeps the facts that distinguish an accepted text from a draft of a crashed tab', async () => {
    const { tab, db } = await openSent(20);
    // The oldest one of the newest messages.
    await tab.saveDrafts('crashed', new Map([[ROOM, `text of ${toId(20)}`]]));
    await pruneOwn(db, 1);
    expect(await listNaming(db, toId(19))).toEqual([]);
    expect(await tab.takeDrafts('next', new Set())).toEqual({ ok: true, value: new Map() });
  });

  it('resumes after a step that failed, and ends once another tab leads', async () => {
    const { tab, db } = await openSent(PRUNE_CHUNK_SIZE + 20);
    const before = await dumpProjections(db);
    const whole = await db.log.count();
    await tab.takeFence('tab-2', 1);
    await expect(pruneOwn(db, 1)).rejects.toThrow(FencedError);
    expect(await db.log.count()).toBe(whole);
    let steps = 0;
    const stop = (): void => {
      steps += 1;
      if (steps > PRUNE_CHUNK_SIZE * 3) throw new Error('killed');
    };
    db.log.hook('deleting', stop);
    await expect(pruneOwn(db, 2)).rejects.toThrow('killed');
    db.log.hook('deleting').unsubscribe(stop);
    // The first step is stored, and nothing of the second one.
    expect(await db.log.count()).toBe(whole - 3 * PRUNE_CHUNK_SIZE);
    await expectRebuilt(db);
    await pruneOwn(db, 2);
    expect(await db.log.count()).toBe(3 * ACCEPTED_KEPT);
    expect(await dumpProjections(db)).toEqual(before);
    await expectRebuilt(db);
  });

  it('changes nothing on a full disk, on which other history was pruned first', async () => {
    const { tab, db } = await openSent(1);
    const other = toRoomKey('c_002', 'team');
    const old = Array.from({ length: RETENTION_KEPT_ALWAYS + 5 }, (_, n) =>
      received(at(n), { room: other }),
    );
    await tab.append(old);
    const late = 1_700_000_000_000 + RETENTION_AGE_MS + 99_000;
    const stored = async () => (await listStored(db)).filter(({ room }) => room === other).length;
    const logged = await listNaming(db, toId(0));
    db.log.hook('deleting', abortForQuota);
    expect(await tab.prune(1, late)).toMatchObject({ ok: false, error: { kind: 'quota' } });
    expect(await stored()).toBe(RETENTION_KEPT_ALWAYS);
    expect(await listNaming(db, toId(0))).toEqual(logged);
    db.log.hook('deleting').unsubscribe(abortForQuota);
    await expectRebuilt(db);
  });

  it('changes no table, whatever happened to the messages, nor does a later rebuild', async () => {
    const batches = fc.array(fc.array(arbitraryFact, { maxLength: 8 }), { maxLength: 8 });
    // These ids sort after those of all other facts.
    const newest = Array.from({ length: ACCEPTED_KEPT }, (_, n) => queued(`~${n}`));
    await fc.assert(
      fc.asyncProperty(batches, batches, async (facts, later) => {
        const tab = await createDevice().openTab();
        const { database: db } = tab;
        await tab.takeFence('tab-1', 0);
        await tab.append(newest);
        for (const batch of facts) await tab.append(batch);
        const before = await dumpProjections(db);
        await pruneOwn(db, 1);
        expect(await dumpProjections(db)).toEqual(before);
        await expectRebuilt(db);
        for (const batch of later) await tab.append(batch);
        await pruneOwn(db, 1);
        await expectRebuilt(db);
        await makeSpace(db);
        await expectRebuilt(db);
        tab.close();
      }),
      { numRuns: toRuns(20) },
    );
  });
});
