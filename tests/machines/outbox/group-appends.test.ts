import type { Fact } from '#domain/events.ts';
import type { Store } from '#domain/ports/storage.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { STORAGE_LIMIT_MS } from '#machines/kit/limits.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { prepareOutbox } from './prepare-outbox.ts';

const ROOMS = ['c_001', 'c_002', 'c_003', 'c_004', 'c_005'].map((id) => toRoomKey(id, 'team'));

type Answer = ReturnType<Store['append']>;

/** An outbox whose messages in five rooms are being sent; `append` records the acknowledgements. */
const prepareAnswers = async (append: (facts: readonly Fact[], stored: () => Answer) => Answer) => {
  const outbox = await prepareOutbox();
  const { world, store, write } = outbox;
  world.engine.hold();
  for (const room of ROOMS) await write(`for ${room}`, room);
  await settle();
  const real = store.append.bind(store);
  const groups: number[] = [];
  store.append = (facts, fence) => {
    groups.push(facts.length);
    return append(facts, () => real(facts, fence));
  };
  return { ...outbox, groups };
};

describe('acknowledgements of several rooms', () => {
  it('are stored together if they arrive while others are being stored', async () => {
    const first = Promise.withResolvers<void>();
    const { world, groups, queue } = await prepareAnswers(async (_facts, stored) => {
      if (groups.length === 1) await first.promise;
      return stored();
    });
    world.engine.release();
    await settle();
    expect(groups).toEqual([1]);
    first.resolve();
    await settle();
    expect(groups).toEqual([1, 4]);
    expect(queue()).toEqual([]);
  });

  it('are stored one by one if one of them cannot be stored', async () => {
    const { world, queue, tries } = await prepareAnswers(async (facts, stored) =>
      facts.some((fact) => 'room' in fact && fact.room === ROOMS[2])
        ? { ok: false, error: { kind: 'storage', detail: 'this fact' } }
        : stored(),
    );
    world.engine.release();
    await settle();
    expect(queue()).toEqual([`queued: for ${ROOMS[2]}`]);
    expect(tries()).toBe(5);
  });

  it('do not wait for an append that never ends', async () => {
    const { world, groups, queue, tries } = await prepareAnswers(async (_facts, stored) =>
      groups.length === 1 ? new Promise<never>(() => undefined) : stored(),
    );
    world.engine.release();
    await settle();
    expect(queue()).toHaveLength(5);
    await world.clock.advance(STORAGE_LIMIT_MS + 10_000);
    expect(queue()).toEqual([]);
    expect(tries()).toBe(5);
  });

  it('are tried again after an append that throws', async () => {
    const { world, groups, queue, tries } = await prepareAnswers(async (_facts, stored) => {
      if (groups.length === 1) throw new Error('breach');
      return stored();
    });
    world.engine.release();
    await world.clock.advance(10_000);
    expect(queue()).toEqual([]);
    expect(tries()).toBe(5);
  });
});
