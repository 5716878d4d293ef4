import type { AppError } from '#domain/errors.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { acceptMessage } from '#machines/accept-message.ts';
import { selectSending } from '#machines/outbox.machine.ts';
import { provideOutbox } from '#machines/provide-outbox.ts';
import { retryMessage } from '#machines/retry-message.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports-store.ts';
import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const start = async () => {
  const world = new MemoryWorld();
  const tab = world.openTab();
  const store = openMemoryStore(world.database());
  const taken = await store.takeFence('tab-1', 0);
  const fence = taken.ok ? taken.value : 0;
  const actor = createActor(provideOutbox(tab), {
    clock: world.clock.timers,
    input: { store, uid: 'u_me', fence },
  }).start();
  stops.push(() => actor.stop());
  const write = async (text: string, room = TEAM) => {
    const accepted = await acceptMessage(tab, store, 'u_me', room, text);
    return accepted.ok ? accepted.value : '';
  };
  await settle();
  return {
    world,
    tab,
    store,
    write,
    sent: (room = TEAM) =>
      world.engine.log
        .filter((entry) => entry.room === room)
        .map(({ message }) => (message as { text: string }).text),
    tries: () => world.engine.calls.filter(({ operation }) => operation === 'publish').length,
    sending: () => [...selectSending(actor.getSnapshot())],
    queue: () => world.database().items.map(({ text, state }) => `${state}: ${text}`),
  };
};

describe('outbox', () => {
  it('sends what was accepted, in order, and empties the queue', async () => {
    const { write, sent, queue, world } = await start();
    await write('one');
    await write('two');
    await write('three');
    await settle();
    expect(sent()).toEqual(['one', 'two', 'three']);
    expect(queue()).toEqual([]);
    expect(world.database().facts.filter(({ type }) => type === 'v1.MessagePublished').length).toBe(
      3,
    );
  });

  it('sends a message that is accepted just when the queue ran empty', async () => {
    const { write, sent } = await start();
    for (let n = 0; n < 20; n += 1) {
      await write(`m${n}`);
      for (let turn = 0; turn < n; turn += 1) await Promise.resolve();
    }
    await settle();
    expect(sent()).toEqual(Array.from({ length: 20 }, (_, n) => `m${n}`));
  });

  it('has one message in flight per room, rooms in parallel, and tells which', async () => {
    const { world, write, sending, tries } = await start();
    world.engine.hold();
    const first = await write('one');
    await write('two');
    const other = await write('elsewhere', GENERAL);
    await settle();
    expect(sending()).toEqual([first, other]);
    expect(tries()).toBe(2);
    world.engine.release();
    await settle();
    expect(sending()).toEqual([]);
    expect(tries()).toBe(3);
  });

  it.each<[string, AppError]>([
    ['no answer', { kind: 'unreachable' }],
    ['a timeout', { kind: 'timeout' }],
    ['503', { kind: 'server', status: 503 }],
    ['a malformed answer', { kind: 'malformed', detail: 'html' }],
  ])(
    'tries the same message again after %s, without limit and ever slower',
    async (_what, error) => {
      const { world, write, sent, tries } = await start();
      world.engine.fail('publish', error);
      await write('stubborn');
      await world.clock.advance(600_000);
      expect(tries()).toBeGreaterThan(100);
      expect(tries()).toBeLessThan(200);
      world.engine.heal();
      await world.clock.advance(15_000);
      expect(sent()).toEqual(['stubborn']);
    },
  );

  it('keeps the id and publishes once when only the answer was lost', async () => {
    const { world, write, sent } = await start();
    const answerLost = world.engine.publish;
    world.engine.publish = async (...args) => {
      await answerLost(...args);
      world.engine.publish = answerLost;
      return { ok: false, error: { kind: 'timeout' } };
    };
    await write('once');
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['once']);
  });

  it('waits as long as a 429 asks for', async () => {
    const { world, write, sent } = await start();
    world.engine.fail('publish', { kind: 'limited', retryAfterMs: 40_000 }, 1);
    await write('patient');
    await world.clock.advance(39_000);
    expect(sent()).toEqual([]);
    await world.clock.advance(2000);
    expect(sent()).toEqual(['patient']);
  });

  it.each<[string, AppError]>([
    ['401', { kind: 'unauthenticated' }],
    ['403', { kind: 'forbidden' }],
  ])('gets a new token after %s and tries once more at once', async (_what, error) => {
    const { world, write, sent } = await start();
    world.engine.fail('publish', error, 1);
    await write('renewed');
    await settle();
    expect(world.engine.renewals).toBe(1);
    expect(sent()).toEqual(['renewed']);
  });

  it('waits after a second 401 instead of hammering', async () => {
    const { world, write, sent, tries } = await start();
    world.engine.fail('publish', { kind: 'unauthenticated' });
    await write('later');
    await settle();
    expect(tries()).toBe(2);
    world.engine.heal();
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['later']);
  });

  it('marks a refusal for good with the reason and goes on with the next', async () => {
    const { world, write, sent, queue } = await start();
    world.engine.fail('publish', { kind: 'rejected', status: 400, text: 'No such room' }, 1);
    await write('poison');
    await write('fine');
    await settle();
    expect(sent()).toEqual(['fine']);
    expect(queue()).toEqual(['failed: poison']);
    expect(world.database().items[0]?.reason).toBe('No such room');
  });

  it.each([401, 404, 405, 408, 409, 425])(
    'keeps the message queued when %i says nothing about it',
    async (status) => {
      const { world, write, sent, queue } = await start();
      world.engine.fail('publish', { kind: 'rejected', status }, 1);
      await write('unharmed');
      await settle();
      expect(queue()).toEqual(['queued: unharmed']);
      await world.clock.advance(10_000);
      expect(sent()).toEqual(['unharmed']);
    },
  );

  it('tries all waiting rooms at once when one of them gets through', async () => {
    const { world, write } = await start();
    world.engine.fail('publish', { kind: 'server', status: 503 });
    for (let n = 0; n < 30; n += 1) await write('hello', toRoomKey(`c_${n}`, 'team'));
    await world.clock.advance(120_000);
    world.engine.heal();
    await world.clock.advance(10_000);
    expect(world.engine.log).toHaveLength(30);
  });

  it('does not hurry a room that was asked to wait', async () => {
    const { world, write, sent } = await start();
    world.engine.fail('publish', { kind: 'limited', retryAfterMs: 40_000 }, 1);
    await write('patient');
    await settle();
    await write('elsewhere', GENERAL);
    await world.clock.advance(30_000);
    expect([sent(GENERAL), sent()]).toEqual([['elsewhere'], []]);
    await world.clock.advance(12_000);
    expect(sent()).toEqual(['patient']);
  });

  it('fails again what is refused again after a retry, and does not loop', async () => {
    const { world, tab, store, write, queue, tries } = await start();
    world.engine.fail('publish', { kind: 'rejected', status: 400 });
    const id = await write('poison');
    await world.clock.advance(1000);
    await retryMessage(tab, store, id);
    await world.clock.advance(60_000);
    expect(queue()).toEqual(['failed: poison']);
    expect(tries()).toBe(2);
  });

  it('makes no attempt while the browser is offline, and wakes at once when it is back', async () => {
    const { tab, write, sent, tries, world } = await start();
    tab.surroundings.set('offline');
    await write('offline one');
    await write('offline two');
    await world.clock.advance(600_000);
    expect(tries()).toBe(0);
    tab.surroundings.set('online');
    await settle();
    expect(sent()).toEqual(['offline one', 'offline two']);
  });

  it('wakes from a wait when the network returns', async () => {
    const { world, tab, write, sent } = await start();
    world.engine.fail('publish', { kind: 'unreachable' });
    await write('waiting');
    await world.clock.advance(60_000);
    world.engine.heal();
    tab.surroundings.set('offline');
    tab.surroundings.set('online');
    await settle();
    expect(sent()).toEqual(['waiting']);
  });

  it('stores the acknowledgement later when the storage fails, without sending again', async () => {
    const { world, write, queue, tries } = await start();
    world.engine.hold();
    await write('kept');
    await settle();
    world.database().failure = { kind: 'quota' };
    world.engine.release();
    await settle();
    expect(queue()).toEqual(['queued: kept']);
    world.database().failure = undefined;
    await world.clock.advance(2000);
    expect(queue()).toEqual([]);
    expect(tries()).toBe(1);
  });

  it('writes nothing and stops once another tab leads', async () => {
    const { world, store, write, queue, tries } = await start();
    world.engine.hold();
    await write('taken over');
    await settle();
    await store.takeFence('tab-2', 1);
    world.engine.release();
    await world.clock.advance(60_000);
    expect(queue()).toEqual(['queued: taken over']);
    expect(tries()).toBe(1);
  });

  it('costs about one request a second over an outage, however many rooms wait', async () => {
    const { world, write, tries } = await start();
    world.engine.fail('publish', { kind: 'unreachable' });
    for (let n = 0; n < 40; n += 1) await write('hello', toRoomKey(`c_${n}`, 'team'));
    await world.clock.advance(120_000);
    const before = tries();
    await world.clock.advance(600_000);
    expect((tries() - before) / 600).toBeLessThan(1);
  });
});
