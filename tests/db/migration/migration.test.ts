import 'fake-indexeddb/auto';

import { describe, expect, it } from 'vitest';

import { findThreadParts } from '#db/read/queries.ts';
import { rebuildProjections } from '#db/log/rebuild.ts';
import { DEVICE_SCHEMA, USER_SCHEMA } from '#db/schema/schema.ts';
import { createDevice, type Device } from '#tests/support/device.ts';
import { at, queued, received, ROOM } from '#tests/support/facts.ts';
import { untilPasses } from '#tests/support/wait-for.ts';

import { dumpProjections } from '../dump.ts';
import { writeFrozenUserV1 } from './frozen-user-v1.ts';
import { writeFrozenUserV2 } from './frozen-user-v2.ts';
import { writeFrozenUserV3 } from './frozen-user-v3.ts';
import { writeFrozenUserV4 } from './frozen-user-v4.ts';

/** One frozen database per version that ever shipped. */
const FROZEN: readonly (readonly [number, (device: Device) => Promise<void>])[] = [
  [1, writeFrozenUserV1],
  [2, writeFrozenUserV2],
  [3, writeFrozenUserV3],
  [4, writeFrozenUserV4],
];

describe('a store written by an older version', () => {
  it('has a frozen copy in the tests, for every version', () => {
    expect(FROZEN.map(([version]) => version)).toEqual(USER_SCHEMA.map(({ version }) => version));
  });

  it.each(FROZEN)('opens from version %i with everything in it', async (_, write) => {
    const device = createDevice();
    await write(device);
    const tab = await device.openTab();
    const { rows, items } = await findThreadParts(tab.database, ROOM, undefined);
    expect(rows.map(({ text }) => text).toSorted()).toEqual(['Hello', 'Is the cut ready?']);
    expect(items.map(({ id, state }) => [id, state])).toEqual([
      ['o1', 'queued'],
      ['o2', 'failed'],
    ]);
    expect(await tab.findCoverage(ROOM)).toMatchObject({ value: { reachedStart: true } });
    expect(await tab.findTeamsFetchedAt()).toEqual({ ok: true, value: 1_700_000_000_000 });
    expect(await tab.takeFence('t2', 2)).toEqual({ ok: true, value: 8 });
    expect(await tab.database.table('quarantine').toArray()).toEqual([]);
    expect(device.lines).toEqual([]);
  });

  it.each(FROZEN)('is usable from version %i, and can be rebuilt', async (_, write) => {
    const device = createDevice();
    await write(device);
    const tab = await device.openTab();
    await untilPasses(() => expect(tab.database.hasOld).toBe(false));
    expect(await tab.append([received(at(1)), queued('new')])).toEqual({ ok: true, value: 2 });
    const known = received('17000000000000001' as ReturnType<typeof at>);
    expect(await tab.append([known])).toEqual({ ok: true, value: 0 });
    const before = await dumpProjections(tab.database);
    expect(before.outbox.map(({ id }) => id)).toEqual(['new', 'o1', 'o2']);
    await rebuildProjections(tab.database);
    expect(await dumpProjections(tab.database)).toEqual(before);
  });
});

describe('schemas', () => {
  it('grow by one version at a time', () => {
    for (const schema of [USER_SCHEMA, DEVICE_SCHEMA]) {
      expect(schema.map(({ version }) => version)).toEqual(schema.map((_, i) => i + 1));
    }
  });
});
