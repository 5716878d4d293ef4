import type { AppError } from '#domain/errors.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { describe, expect, it } from 'vitest';

import { prepareOutbox, TEAM } from './prepare-outbox.ts';

const UNREACHABLE: AppError = { kind: 'unreachable' };

/** A world with a non-idempotent engine. */
const prepareWorld = () => {
  const world = new MemoryWorld();
  world.engine.idempotent = false;
  const publish = world.engine.publish.bind(world.engine);
  return {
    world,
    /** The engine stores the next publish, but its answer is lost, or never arrives. */
    loseAnswer: (how: 'lost' | 'never' = 'lost') => {
      world.engine.publish = async (...args) => {
        world.engine.publish = publish;
        await publish(...args);
        if (how === 'never') await new Promise(() => {});
        return { ok: false, error: { kind: 'timeout' } };
      };
    },
    lookups: () => world.engine.calls.filter(({ operation }) => operation === 'history').length,
  };
};

describe('outbox on a non-idempotent engine', () => {
  it('looks up an unanswered message in the history instead of repeating it', async () => {
    const { world, loseAnswer } = prepareWorld();
    const { write, sent, queue, tries } = await prepareOutbox(world);
    loseAnswer();
    await write('once');
    await write('next');
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['once', 'next']);
    expect(queue()).toEqual([]);
    expect(tries()).toBe(2);
  });

  it('looks up once the history may contain the message, also if the network returns before', async () => {
    const { world, loseAnswer } = prepareWorld();
    const { write, sent, queue, tab } = await prepareOutbox(world);
    const { readHistory } = world.engine;
    let isShown = false;
    world.engine.readHistory = (query, cancel) =>
      readHistory(isShown ? query : { ...query, before: world.engine.newest }, cancel);
    loseAnswer();
    await write('once');
    await settle();
    tab.environment.set('offline');
    await world.clock.advance(500);
    tab.environment.set('online');
    await world.clock.advance(2000);
    isShown = true;
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['once']);
    expect(queue()).toEqual([]);
  });

  it('looks up right after a reload, and sends at once when there is nothing to wait for', async () => {
    const { world, loseAnswer } = prepareWorld();
    const { readHistory } = world.engine;
    let isShown = false;
    world.engine.readHistory = (query, cancel) =>
      readHistory(isShown ? query : { ...query, before: world.engine.newest }, cancel);
    const first = await prepareOutbox(world);
    loseAnswer('never');
    await first.write('once');
    await settle();
    first.stop();
    const { sent, tries, tab } = await prepareOutbox(world);
    await world.clock.advance(2500);
    isShown = true;
    await world.clock.advance(1000);
    expect(sent()).toEqual(['once']);
    expect(tries()).toBe(1);
    // Long after a failed attempt, a returning network sends without a pause.
    world.engine.fail('publish', UNREACHABLE);
    await first.write('later');
    await world.clock.advance(60_000);
    tab.environment.set('offline');
    await world.clock.advance(60_000);
    world.engine.heal();
    tab.environment.set('online');
    await settle();
    expect(sent()).toEqual(['once', 'later']);
  });

  it('looks up after a crash during the publish', async () => {
    const { world, loseAnswer } = prepareWorld();
    const first = await prepareOutbox(world);
    loseAnswer('never');
    await first.write('once');
    await settle();
    first.stop();
    const second = await prepareOutbox(world);
    await world.clock.advance(15_000);
    expect(second.sent()).toEqual(['once']);
    expect(second.queue()).toEqual([]);
  });

  it('looks up when another tab took over from a frozen one', async () => {
    const { world, loseAnswer } = prepareWorld();
    const frozen = await prepareOutbox(world);
    loseAnswer('never');
    await frozen.write('once');
    await settle();
    const { sent, queue } = await prepareOutbox(world);
    await world.clock.advance(60_000);
    expect(sent()).toEqual(['once']);
    expect(queue()).toEqual([]);
  });

  it('repeats a message that had not arrived, once', async () => {
    const { world, lookups } = prepareWorld();
    const { write, sent, tries } = await prepareOutbox(world);
    world.engine.fail('publish', UNREACHABLE, 1);
    await write('again');
    await settle();
    const before = lookups();
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['again']);
    expect([tries(), lookups() - before]).toEqual([2, 1]);
  });

  it('repeats nothing as long as the lookup fails', async () => {
    const { world, loseAnswer } = prepareWorld();
    const { write, sent, queue, tries } = await prepareOutbox(world);
    loseAnswer();
    await write('once');
    await settle();
    world.engine.fail('history', { kind: 'rejected', status: 400 });
    await world.clock.advance(300_000);
    expect(tries()).toBe(1);
    expect(queue()).toEqual(['queued: once']);
    world.engine.heal();
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['once']);
    expect(queue()).toEqual([]);
  });

  it('finds it below later messages of others, and resumes an interrupted lookup', async () => {
    const { world, loseAnswer, lookups } = prepareWorld();
    for (let n = 0; n < 120; n += 1) world.engine.write(TEAM, { text: `old ${n}` });
    const { write, sent, queue } = await prepareOutbox(world);
    loseAnswer();
    await write('once');
    await settle();
    for (let n = 0; n < 250; n += 1) world.engine.write(TEAM, { text: `new ${n}` });
    const { readHistory } = world.engine;
    const before = lookups();
    // The second page is refused once; the first is not requested again.
    world.engine.readHistory = (query, cancel) => {
      if (query.before !== undefined && lookups() === before + 1) {
        world.engine.fail('history', UNREACHABLE, 1);
      }
      return readHistory(query, cancel);
    };
    await world.clock.advance(30_000);
    expect(queue()).toEqual([]);
    expect(sent().filter((text) => text === 'once')).toHaveLength(1);
    expect(lookups() - before).toBeLessThanOrEqual(5);
  });

  it('does not send a message that its author deleted meanwhile', async () => {
    const { world } = prepareWorld();
    const { store, write, sent, tries } = await prepareOutbox(world);
    world.engine.fail('publish', UNREACHABLE, 1);
    const id = await write('deleted');
    await settle();
    await store.append([{ type: 'v1.MessageDiscarded', id, at: 1 }]);
    await world.clock.advance(15_000);
    expect([sent(), tries()]).toEqual([[], 1]);
  });

  it('sends nothing once another tab leads, even if the lookup succeeds', async () => {
    const { world } = prepareWorld();
    const { store, write, tries } = await prepareOutbox(world);
    world.engine.fail('publish', UNREACHABLE, 1);
    await write('taken over');
    await settle();
    await store.takeFence('tab-2', 1);
    await world.clock.advance(60_000);
    expect(tries()).toBe(1);
  });

  it('sends nothing after a freeze until the lead is confirmed', async () => {
    const { world } = prepareWorld();
    const { write, sent } = await prepareOutbox(world);
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
    const { publish } = world.engine;
    const cancelled: boolean[] = [];
    // The wait is between a slow token and the request, as in every engine.
    world.engine.publish = async (room, payload, cancel) => {
      await thawed;
      cancelled.push(cancel.aborted);
      return cancel.aborted ? { ok: false, error: UNREACHABLE } : publish(room, payload, cancel);
    };
    await write('frozen');
    await world.clock.advance(12_000);
    thaw();
    await world.clock.advance(15_000);
    expect(cancelled).toEqual([true, false]);
    expect(sent()).toEqual(['frozen']);
  });

  it('does not send an attempt that it could not record', async () => {
    const { world } = prepareWorld();
    const { store, write, sent, tries } = await prepareOutbox(world);
    const append = store.append.bind(store);
    store.append = async (facts, fence) =>
      facts.some(({ type }) => type === 'v1.PublishAttempted')
        ? { ok: false, error: { kind: 'quota' } }
        : append(facts, fence);
    await write('noted first');
    await world.clock.advance(60_000);
    expect(tries()).toBe(0);
    store.append = append;
    await world.clock.advance(20_000);
    expect(sent()).toEqual(['noted first']);
  });

  it('sends at most one request a second while only publishing fails, for any number of rooms', async () => {
    const { world } = prepareWorld();
    const { write } = await prepareOutbox(world);
    world.engine.fail('publish', { kind: 'server', status: 503 });
    for (let n = 0; n < 40; n += 1) await write('hello', toRoomKey(`c_${n}`, 'team'));
    await world.clock.advance(120_000);
    const before = world.engine.calls.length;
    await world.clock.advance(600_000);
    expect((world.engine.calls.length - before) / 600).toBeLessThan(1);
  });
});

describe('outbox on an idempotent engine', () => {
  it('repeats at once, without a lookup or a record', async () => {
    const world = new MemoryWorld();
    const { write, sent } = await prepareOutbox(world);
    world.engine.fail('publish', UNREACHABLE, 1);
    await write('again');
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['again']);
    expect(world.engine.calls.map(({ operation }) => operation)).toEqual(['publish', 'publish']);
    expect(world.database().facts.map(({ type }) => type)).not.toContain('v1.PublishAttempted');
  });
});
