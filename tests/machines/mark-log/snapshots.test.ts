import { afterEach, describe, expect, it } from 'vitest';

import { SNAPSHOT_EVERY } from '#domain/project/log-state.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { settle } from '#tests/support/fake-clock.ts';

import { GENERAL, prepare, stopAll, TEAM } from './user-log.ts';

afterEach(stopAll);

describe('a snapshot of the user log', () => {
  it('ends the reading of older entries, except those that its maker had not read', async () => {
    const { world, first, start, listRead } = await prepare();
    let upTo: Timetoken | undefined;
    for (let n = 0; n < 500; n += 1) {
      // The maker of the snapshot had not read the entries between this one and the snapshot.
      if (n === 350) upTo = world.engine.writeOwn({ v: 1, reads: {} });
      else world.engine.writeOwn({ v: 1, reads: n === 351 ? { [GENERAL]: first } : {} });
    }
    const snapshot = { id: 's', part: 0, of: 1, upTo };
    const marks = { [`read:${TEAM}`]: [0, first] };
    world.engine.writeOwn({ v: 2, marks, began: first, snapshot });
    await start();
    expect(world.engine.calls.filter(({ operation }) => operation === 'own')).toHaveLength(2);
    expect(await listRead()).toEqual({ [TEAM]: first, [GENERAL]: first });
  });

  it('is found on a slow connection too, where pages have few entries', async () => {
    const { world, first, start, listRead } = await prepare();
    const { own } = world.engine;
    const read = own.read.bind(own);
    own.read = (query, cancel) => read({ ...query, count: Math.min(query.count, 5) }, cancel);
    const marks = { [`read:${TEAM}`]: [0, first] };
    world.engine.writeOwn({ v: 2, marks, began: first, snapshot: { id: 's', part: 0, of: 1 } });
    for (let n = 0; n < 300; n += 1) world.engine.writeOwn({ v: 1, reads: { [GENERAL]: first } });
    await start();
    expect(await listRead()).toEqual({ [TEAM]: first, [GENERAL]: first });
  });

  it('is ignored if a version that supports fewer marks made it', async () => {
    const { world, first, start, listChoices } = await prepare();
    world.engine.writeOwn({ v: 2, marks: { 'muted:c_001': [1, '1'] } });
    for (let n = 0; n < 500; n += 1) world.engine.writeOwn({ v: 1, reads: {} });
    const marks = { [`read:${TEAM}`]: [0, first] };
    world.engine.writeOwn({ v: 2, marks, snapshot: { id: 's', part: 0, of: 1 } });
    await start();
    expect(await listChoices()).toEqual({ 'muted:c_001': '1' });
  });

  it('is published after a fixed number of entries', async () => {
    const { world, first, read, start, wait } = await prepare();
    await start();
    for (let n = 0; n < SNAPSHOT_EVERY; n += 1) {
      world.engine.writeOwn({ v: 1, reads: { [GENERAL]: first } });
    }
    await settle();
    await read(first);
    await wait(1000);
    expect(world.engine.userLog.at(-1)?.payload).toMatchObject({
      marks: { [`read:${TEAM}`]: [0, first], [`read:${GENERAL}`]: [0, first] },
      snapshot: { part: 0, of: 1 },
    });
  });
});

describe('the user log', () => {
  it('carries choices in both directions; an undone choice stays undone', async () => {
    const { world, store, start, listChoices, wait } = await prepare();
    world.engine.writeOwn({ v: 2, marks: { 'muted:c_001': [1, '1'], 'setting:sound': [3, '1'] } });
    await start();
    await store.recordChoices(
      () =>
        new Map([
          ['muted:c_001', ''],
          [`muted:${TEAM}`, '1'],
          ['setting:sound', '1'],
        ]),
    );
    await wait(1000);
    expect(world.engine.userLog.at(-1)?.payload).toEqual({
      v: 2,
      marks: { 'muted:c_001': [2, ''], [`muted:${TEAM}`]: [1, '1'] },
    });
    // From a device that had not read the change.
    world.engine.writeOwn({ v: 2, marks: { 'muted:c_001': [1, '1'], 'setting:sound': [4, ''] } });
    await settle();
    expect(await listChoices()).toEqual({
      'muted:c_001': '',
      [`muted:${TEAM}`]: '1',
      'setting:sound': '',
    });
  });
});
