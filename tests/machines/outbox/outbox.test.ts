import type { AppError } from '#domain/errors.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it, vi } from 'vitest';

import { GENERAL, prepareOutbox } from './prepare-outbox.ts';

describe('outbox', () => {
  it('sends accepted messages in order, and empties the queue', async () => {
    const { write, sent, queue, world } = await prepareOutbox();
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

  it('sends a message of a tab that crashed before reporting it', async () => {
    const { write, sent, world } = await prepareOutbox();
    const unreported = vi.spyOn(world.database(), 'changed').mockReturnValue();
    await write('unreported');
    unreported.mockRestore();
    await settle();
    expect(sent()).toEqual([]);
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['unreported']);
  });

  it('sends a message that is accepted at the moment the queue becomes empty', async () => {
    const { write, sent } = await prepareOutbox();
    for (let n = 0; n < 20; n += 1) {
      await write(`m${n}`);
      for (let turn = 0; turn < n; turn += 1) await Promise.resolve();
    }
    await settle();
    expect(sent()).toEqual(Array.from({ length: 20 }, (_, n) => `m${n}`));
  });

  it('has one message in flight per room, rooms in parallel, and reports their ids', async () => {
    const { world, write, sending, tries } = await prepareOutbox();
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
    'retries the same message after %s, without limit, at growing intervals',
    async (_what, error) => {
      const { world, write, sent, tries } = await prepareOutbox();
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

  it('keeps the id and publishes once if only the answer was lost', async () => {
    const { world, write, sent } = await prepareOutbox();
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

  it('makes no attempt while the browser is offline, and wakes at once when it is back', async () => {
    const { tab, write, sent, tries, world } = await prepareOutbox();
    tab.environment.set('offline');
    await write('offline one');
    await write('offline two');
    await world.clock.advance(600_000);
    expect(tries()).toBe(0);
    tab.environment.set('online');
    await settle();
    expect(sent()).toEqual(['offline one', 'offline two']);
  });

  it('wakes from a wait when the network returns', async () => {
    const { world, tab, write, sent } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'unreachable' });
    await write('waiting');
    await world.clock.advance(60_000);
    world.engine.heal();
    tab.environment.set('offline');
    tab.environment.set('online');
    await settle();
    expect(sent()).toEqual(['waiting']);
  });

  it('stores the acknowledgement later if the storage fails, without sending again', async () => {
    const { world, write, queue, tries } = await prepareOutbox();
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
    const { world, store, write, queue, tries } = await prepareOutbox();
    world.engine.hold();
    await write('taken over');
    await settle();
    await store.takeFence('tab-2', 1);
    world.engine.release();
    await world.clock.advance(60_000);
    expect(queue()).toEqual(['queued: taken over']);
    expect(tries()).toBe(1);
  });

  it('sends about one request a second during an outage, for any number of rooms', async () => {
    const { world, write, tries } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'unreachable' });
    for (let n = 0; n < 40; n += 1) await write('hello', toRoomKey(`c_${n}`, 'team'));
    await world.clock.advance(120_000);
    const before = tries();
    await world.clock.advance(600_000);
    expect((tries() - before) / 600).toBeLessThan(1);
  });
});
