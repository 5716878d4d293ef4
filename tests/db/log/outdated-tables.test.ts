import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { rebuildProjections } from '#db/log/rebuild.ts';
import { rebuildRooms } from '#db/log/replay.ts';
import { makeSpace } from '#db/log/retention.ts';
import { closeForDeletion } from '#db/device/purge-user-data.ts';
import type { UserDatabase } from '#db/schema/database.ts';
import { PROJECTION_VERSION } from '#db/schema/schema.ts';
import { toCoverageKey } from '#db/schema/tables.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, queued, received, ROOM } from '#tests/support/facts.ts';

/** From now on the tables count as made by older reducers. */
const age = (db: UserDatabase) =>
  db.meta.put({ key: 'projection', version: PROJECTION_VERSION - 1, v: 1 });

const receive = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) => received(at(from + n), { id: `m${from + n}` }));

describe('a store whose tables older reducers made', () => {
  it('keeps unsent messages at a sign-out, also those it cannot read yet', async () => {
    const device = createDevice();
    const first = await device.openTab();
    await first.append([queued('mine'), queued('second')]);
    await first.database.outbox
      .where('id')
      .equals('mine')
      .modify((row: object) => {
        Reflect.deleteProperty(row, 'at');
      });
    await age(first.database);
    first.close();
    const tab = await device.openTab();
    const shown = await tab.listUnsent();
    expect(shown.ok && shown.value.map(({ id }) => id)).toEqual(['mine', 'second']);
    const left = await closeForDeletion(device.openDatabase());
    expect(left.map(({ id }) => id)).toEqual(['mine', 'second']);
  });

  it('keeps unsent messages at a sign-out even if they are missing in the outbox', async () => {
    const device = createDevice();
    const tab = await device.openTab();
    await tab.append([queued('mine')]);
    await tab.database.outbox.clear();
    await age(tab.database);
    const left = await closeForDeletion(device.openDatabase());
    expect(left.map(({ id }) => id)).toEqual(['mine']);
  });

  it('is not pruned: wrong coverage would replace the facts', async () => {
    const tab = await createDevice().openTab();
    await tab.append([
      ...receive(10, 0),
      ...receive(20, 20),
      page(at(0), at(9)),
      page(at(20), at(39)),
    ]);
    const db = tab.database;
    await db.coverage.update(toCoverageKey(ROOM), { ranges: [{ from: at(0), to: at(39) }] });
    await age(db);
    await makeSpace(db);
    await rebuildProjections(db);
    const coverage = await tab.findCoverage(ROOM);
    expect(coverage.ok && coverage.value?.ranges).toHaveLength(2);
  });

  it('does not change rooms that a newer version has rebuilt', async () => {
    const tab = await createDevice().openTab();
    const db = tab.database;
    const [a, b] = [toRoomKey('c_001', 'team'), toRoomKey('c_002', 'team')];
    await tab.append([received(at(1), { room: a }), received(at(2), { room: b })]);
    const made = { newest: at(9) };
    await db.activity.toCollection().modify(made);
    await age(db);
    const mark = { key: 'rebuild', version: PROJECTION_VERSION + 1, finished: a, v: 1 } as const;
    await db.meta.put(mark);
    await rebuildRooms(db);
    expect(await db.activity.toArray()).toMatchObject([made, made]);
    expect(await db.meta.get('rebuild')).toEqual(mark);
  });

  it('does not count as lost when it is reopened before its version is known', async () => {
    const device = createDevice();
    const tab = await device.openTab();
    await tab.append([received(at(0)), queued('mine')]);
    await tab.database.meta.delete('projection');
    let isLost = false;
    tab.onLost(() => (isLost = true));
    tab.database.close({ disableAutoOpen: false });
    await tab.database.open().catch(() => undefined);
    expect(isLost).toBe(false);
  });
});
