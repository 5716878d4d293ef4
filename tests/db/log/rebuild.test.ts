import 'fake-indexeddb/auto';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { rebuildProjections } from '#db/log/rebuild.ts';
import { PROJECTION_VERSION } from '#db/schema/schema.ts';
import type { Fact } from '#domain/events.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { arbitraryFactIn } from '#tests/property/arbitrary-facts.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, published, queued, received, ROOM } from '#tests/support/facts.ts';
import { toRuns } from '#tests/support/property-seed.ts';

import { dumpProjections, listStored } from '../dump.ts';

const ROOMS = [ROOM, toRoomKey('c_001', 'producers'), toRoomKey('c_0011', 'team')];
const arbitraryBatches = fc.array(fc.array(arbitraryFactIn(ROOMS), { maxLength: 8 }), {
  maxLength: 10,
});

describe('rebuildProjections', () => {
  it('rebuilds the same tables that were built step by step, in whatever batches', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryBatches, async (batches) => {
        const [tab, other] = [await createDevice().openTab(), await createDevice().openTab()];
        for (const batch of batches) await tab.append(batch);
        const before = await dumpProjections(tab.database);
        await rebuildProjections(tab.database);
        expect(await dumpProjections(tab.database)).toEqual(before);
        await other.append(batches.flat());
        expect(await dumpProjections(other.database)).toEqual(before);
        tab.close();
        other.close();
      }),
      { numRuns: toRuns(60) },
    );
  });

  it('replays logs of more than one chunk', async () => {
    const tab = await createDevice().openTab();
    const facts: Fact[] = Array.from({ length: 2500 }, (_, n) => received(at(n)));
    await tab.append([queued('a'), ...facts, published('a', at(9000)), page(at(0), at(2499))]);
    const before = await dumpProjections(tab.database);
    expect(before.messages).toHaveLength(2501);
    await rebuildProjections(tab.database);
    expect(await dumpProjections(tab.database)).toEqual(before);
  });

  it('skips unknown and malformed facts and keeps them in the log', async () => {
    const tab = await createDevice().openTab();
    await tab.append([received(at(1))]);
    const strange = [
      { key: 'newer', at: 0, v: 9, fact: { type: 'v9.RoomPainted', room: ROOM } },
      { key: 'broken', at: 0, v: 1, fact: { type: 'v1.MessageQueued', room: 7 } },
      { key: 'empty', v: 1 },
    ];
    await tab.database.table('log').bulkAdd(strange);
    await tab.append([received(at(2))]);
    await rebuildProjections(tab.database);
    expect(await listStored(tab.database)).toHaveLength(2);
    expect(await tab.database.log.toArray()).toHaveLength(3);
  });

  it('does not change rows of a newer version, and does not lower the version of the tables', async () => {
    const tab = await createDevice().openTab();
    const db = tab.database;
    await tab.append([queued('a'), queued('b'), received(at(1))]);
    const newer = [
      { id: 'b', room: ROOM, seq: 2, state: 'scheduled', v: 3 },
      { id: 'z', room: ROOM, seq: 99, state: 'scheduled', v: 3 },
    ];
    await db.table('outbox').bulkPut(newer);
    await db.table('outbox').put({ id: 'damaged', v: '3' });
    const version = PROJECTION_VERSION + 1;
    await db.meta.put({ key: 'projection', version, v: 1 });
    await rebuildProjections(db);
    expect(await db.table('outbox').toArray()).toMatchObject([{ id: 'a' }, ...newer]);
    expect(await db.table('outbox').bulkGet(['b', 'z'])).toEqual(newer);
    expect(await listStored(db)).toHaveLength(1);
    expect(await db.meta.get('projection')).toMatchObject({ version });
  });
});
