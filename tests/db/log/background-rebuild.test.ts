import 'fake-indexeddb/auto';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { rebuildProjections } from '#db/log/rebuild.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { PROJECTION_VERSION } from '#db/schema/schema.ts';
import type { Fact } from '#domain/events.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { arbitraryFactIn } from '#tests/property/arbitrary-facts.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, queued, received, roomRead } from '#tests/support/facts.ts';
import { untilPasses, waitFor } from '#tests/support/wait-for.ts';
import { toRuns } from '#tests/support/property-seed.ts';

import { dumpProjections, withoutVersion } from '../dump.ts';

const ROOMS = [1, 2, 3, 4].map((n) => toRoomKey(`c_00${n}`, 'team'));

const FACTS: readonly Fact[] = ROOMS.flatMap((room, n) => [
  received(at(n), { room }),
  received(at(n + 10), { room, id: `other${n}` }),
  page(at(n), at(n + 10)),
  queued(`mine${n}`, { room }),
  roomRead(at(n), room),
]);

/** State that older reducers may have left: other rows, and some missing. */
const age = async (db: UserDatabase): Promise<void> => {
  await db.outbox.clear();
  await db.coverage.clear();
  await db.activity.toCollection().modify({ pending: 0 });
  await db.meta.put({ key: 'projection', version: PROJECTION_VERSION - 1, v: 1 });
};

const findVersion = async (db: UserDatabase) => {
  const row = await db.meta.get('projection');
  return row?.key === 'projection' ? row.version : undefined;
};

const untilRebuilt = (db: UserDatabase): Promise<void> =>
  untilPasses(async () => expect(await findVersion(db)).toBe(PROJECTION_VERSION));

/** A device with tables of older reducers, and the tables that the current ones make. */
const createAgedDevice = async () => {
  const device = createDevice();
  const tab = await device.openTab();
  await tab.append(FACTS);
  const wanted = await dumpProjections(tab.database);
  await age(tab.database);
  const aged = await dumpProjections(tab.database);
  tab.close();
  return { device, wanted, aged };
};

describe('a store with tables of older reducers', () => {
  it('opens before its tables are rebuilt', async () => {
    const { device, wanted, aged } = await createAgedDevice();
    const { database } = await device.openTab();
    // Nothing is rebuilt before this transaction, because the rebuild first reads.
    const dump = async () => dumpProjections(database);
    expect(await database.transaction('r', database.logged, dump)).toEqual(aged);
    await untilRebuilt(database);
    expect(await dumpProjections(database)).toEqual(wanted);
    expect(await database.meta.get('rebuild')).toBeUndefined();
    expect(device.lines).toEqual([]);
  });

  it('shows each room either as it was or as it is rebuilt, and nothing in between', async () => {
    const { device, wanted, aged } = await createAgedDevice();
    const { database } = await device.openTab();
    const seen: (typeof wanted.activity)[] = [];
    do seen.push(withoutVersion(await database.activity.toArray()));
    while ((await findVersion(database)) !== PROJECTION_VERSION);
    const toRoom = (rows: typeof wanted.activity, room: RoomKey) =>
      JSON.stringify(rows.filter((row) => row.room === room));
    for (const room of ROOMS) {
      const known = [toRoom(aged.activity, room), toRoom(wanted.activity, room)];
      for (const rows of seen) expect(known).toContain(toRoom(rows, room));
    }
  });

  it('resumes after a crash where it stopped, and does not rebuild a room twice', async () => {
    const { device, wanted } = await createAgedDevice();
    const tab = await device.openTab();
    let marks = 0;
    tab.database.meta.hook('updating', (_changes, key) => {
      if (key === 'rebuild') marks += 1;
      if (marks === 2) queueMicrotask(() => tab.close());
    });
    await waitFor('the crash', () => tab.database.isEnded);
    const db = device.openDatabase();
    expect(await findVersion(db)).toBe(PROJECTION_VERSION - 1);
    const mark = await db.meta.get('rebuild');
    const finished = mark?.key === 'rebuild' ? mark.finished : '';
    expect(ROOMS.slice(0, 2)).toContain(finished);
    await db.activity
      .where('room')
      .belowOrEqual(finished)
      .modify({ newest: at(99) });
    const before = withoutVersion(await db.activity.toArray());
    const again = await device.openTab();
    await untilRebuilt(again.database);
    const after = await dumpProjections(again.database);
    expect(after.activity).toEqual(
      wanted.activity.map((row, i) => (row.room > finished ? row : before[i])),
    );
    expect({ ...after, activity: [] }).toEqual({ ...wanted, activity: [] });
  });

  it('is rebuilt from the start if the mark is from a rebuild for other reducers', async () => {
    const { device, wanted } = await createAgedDevice();
    const db = device.openDatabase();
    const version = PROJECTION_VERSION - 1;
    await db.meta.put({ key: 'rebuild', version, finished: '~', v: 1 });
    const tab = await device.openTab();
    await untilRebuilt(tab.database);
    expect(await dumpProjections(tab.database)).toEqual(wanted);
  });

  it('reports a rebuild that the disk refuses, stays readable, and is rebuilt later', async () => {
    const { device, wanted, aged } = await createAgedDevice();
    const tab = await device.openTab();
    tab.database.outbox.hook('creating', () => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    await waitFor('the report', () => device.lines.length > 0);
    expect(device.lines).toMatchObject([
      { code: 'STORAGE_REBUILD_FAILED', details: { kind: 'quota' } },
    ]);
    expect(await dumpProjections(tab.database)).toEqual(aged);
    tab.close();
    const again = await device.openTab();
    await untilRebuilt(again.database);
    expect(await dumpProjections(again.database)).toEqual(wanted);
  });

  it('is no longer half rebuilt once all its tables were rebuilt at once', async () => {
    const { device, wanted } = await createAgedDevice();
    const db = device.openDatabase();
    const mark = { key: 'rebuild', finished: ROOMS[1] ?? '', v: 1 } as const;
    await db.meta.put({ ...mark, version: PROJECTION_VERSION });
    await rebuildProjections(db);
    expect(await dumpProjections(db)).toEqual(wanted);
    expect(await db.meta.get('rebuild')).toBeUndefined();
    // One of a newer page continues.
    await db.meta.put({ ...mark, version: PROJECTION_VERSION + 1 });
    await rebuildProjections(db);
    expect(await db.meta.get('rebuild')).toMatchObject({ version: PROJECTION_VERSION + 1 });
  });

  it('is rebuilt by the next pruning after a rebuild that failed', async () => {
    const { device, wanted } = await createAgedDevice();
    const tab = await device.openTab();
    const { outbox } = tab.database;
    const refuse = (): never => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    outbox.hook('creating', refuse);
    await waitFor('the report', () => device.lines.length > 0);
    outbox.hook('creating').unsubscribe(refuse);
    // No tab leads, so nothing is pruned.
    await tab.prune(1, 0);
    expect(await findVersion(tab.database)).toBe(PROJECTION_VERSION);
    expect(await dumpProjections(tab.database)).toEqual(wanted);
    expect(device.lines).toHaveLength(1);
  });

  it('is rebuilt by several tabs while it accepts facts, with the result of a rebuild at once', async () => {
    const arbitraryFacts = fc.array(arbitraryFactIn(ROOMS), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(arbitraryFacts, arbitraryFacts, async (before, meanwhile) => {
        const device = createDevice();
        const first = await device.openTab();
        await first.append([received(at(0)), ...before]);
        await age(first.database);
        first.close();
        const [tab, other] = [await device.openTab(), await device.openTab()];
        await Promise.all(meanwhile.map((fact, n) => (n % 2 ? tab : other).append([fact])));
        await untilRebuilt(tab.database);
        const rebuilt = await dumpProjections(tab.database);
        await rebuildProjections(tab.database);
        expect(rebuilt).toEqual(await dumpProjections(tab.database));
        tab.close();
        other.close();
      }),
      { numRuns: toRuns(30) },
    );
  });
});
