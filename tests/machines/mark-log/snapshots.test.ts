import { afterEach, describe, expect, it } from 'vitest';

import { SNAPSHOT_EVERY } from '#domain/project/log-state.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { settle } from '#tests/support/fake-clock.ts';

import { GENERAL, prepare, stopAll, TEAM } from './own-log.ts';

afterEach(stopAll);

describe('a snapshot of the own log', () => {
  it('is as far back as anybody reads, but for what its maker did not know', async () => {
    const { world, first, start, listRead } = await prepare();
    let upTo: Timetoken | undefined;
    for (let n = 0; n < 500; n += 1) {
      // Whoever made the snapshot did not know of those after this one.
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

  it('of a version that knew fewer marks does not count', async () => {
    const { world, first, start, listChoices } = await prepare();
    world.engine.writeOwn({ v: 2, marks: { 'muted:c_001': [1, '1'] } });
    for (let n = 0; n < 500; n += 1) world.engine.writeOwn({ v: 1, reads: {} });
    const marks = { [`read:${TEAM}`]: [0, first] };
    world.engine.writeOwn({ v: 2, marks, snapshot: { id: 's', part: 0, of: 1 } });
    await start();
    expect(await listChoices()).toEqual({ 'muted:c_001': '1' });
  });

  it('is published after so many entries', async () => {
    const { world, first, read, start, wait } = await prepare();
    await start();
    for (let n = 0; n < SNAPSHOT_EVERY; n += 1) {
      world.engine.writeOwn({ v: 1, reads: { [GENERAL]: first } });
    }
    await settle();
    await read(first);
    await wait(1000);
    expect(world.engine.ownLog.at(-1)?.payload).toMatchObject({
      marks: { [`read:${TEAM}`]: [0, first], [`read:${GENERAL}`]: [0, first] },
      snapshot: { part: 0, of: 1 },
    });
  });
});

describe('the own log of a user', () => {
  it('carries what was chosen, both ways; a choice taken back stays so', async () => {
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
    expect(world.engine.ownLog.at(-1)?.payload).toEqual({
      v: 2,
      marks: { 'muted:c_001': [2, ''], [`muted:${TEAM}`]: [1, '1'] },
    });
    // Of a device that did not know of it.
    world.engine.writeOwn({ v: 2, marks: { 'muted:c_001': [1, '1'], 'setting:sound': [4, ''] } });
    await settle();
    expect(await listChoices()).toEqual({
      'muted:c_001': '',
      [`muted:${TEAM}`]: '1',
      'setting:sound': '',
    });
  });
});
