import { toRoomKey } from '#domain/rooms.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { GENERAL, prepareOutbox } from './prepare-outbox.ts';

describe('outbox, refused', () => {
  it('waits as long as a 429 requests', async () => {
    const { world, write, sent } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'limited', retryAfterMs: 40_000 }, 1);
    await write('patient');
    await world.clock.advance(39_000);
    expect(sent()).toEqual([]);
    await world.clock.advance(2000);
    expect(sent()).toEqual(['patient']);
  });

  it('gets a new token after 401 and tries once more at once', async () => {
    const { world, write, sent } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'unauthenticated' }, 1);
    await write('renewed');
    await settle();
    expect(world.engine.renewals).toBe(1);
    expect(sent()).toEqual(['renewed']);
  });

  it('keeps a message to a room of others queued, without requesting tokens', async () => {
    const { world, write, sent, tries } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'forbidden' });
    await write('removed');
    await settle();
    expect(tries()).toBe(1);
    await world.clock.advance(60_000);
    expect(world.engine.renewals).toBe(0);
    world.engine.heal();
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['removed']);
  });

  it('waits after a second 401 instead of retrying at once', async () => {
    const { world, write, sent, tries } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'unauthenticated' });
    await write('later');
    await settle();
    expect(tries()).toBe(2);
    world.engine.heal();
    await world.clock.advance(15_000);
    expect(sent()).toEqual(['later']);
  });

  it.each([400, 410])('marks a %i with its reason and continues with the next', async (status) => {
    const { world, write, sent, queue } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'rejected', status, text: 'No such room' }, 1);
    await write('poison');
    await write('fine');
    await settle();
    expect(sent()).toEqual(['fine']);
    expect(queue()).toEqual(['failed: poison']);
    expect(world.database().items[0]?.reason).toBe('No such room');
  });

  it.each([401, 404, 405, 408, 409, 425])(
    'keeps the message queued when a %i is not about the message',
    async (status) => {
      const { world, write, sent, queue } = await prepareOutbox();
      world.engine.fail('publish', { kind: 'rejected', status }, 1);
      await write('unharmed');
      await settle();
      expect(queue()).toEqual(['queued: unharmed']);
      await world.clock.advance(10_000);
      expect(sent()).toEqual(['unharmed']);
    },
  );

  it('retries all waiting rooms at once when one of them succeeds', async () => {
    const { world, tab, write } = await prepareOutbox();
    // The waits differ, as they do in a browser; multiples of the golden ratio are spread evenly.
    let turn = 0;
    Object.assign(tab.random, { next: () => (turn += 0.618) % 1 });
    world.engine.fail('publish', { kind: 'server', status: 503 });
    for (let n = 0; n < 30; n += 1) await write('hello', toRoomKey(`c_${n}`, 'team'));
    await world.clock.advance(120_000);
    world.engine.heal();
    await world.clock.advance(10_000);
    expect(world.engine.log).toHaveLength(30);
  });

  it('does not shorten a wait that the engine requested', async () => {
    const { world, tab, write, sent } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'limited', retryAfterMs: 40_000 }, 1);
    await write('patient');
    await settle();
    await write('elsewhere', GENERAL);
    tab.environment.set('online');
    await world.clock.advance(30_000);
    expect([sent(GENERAL), sent()]).toEqual([['elsewhere'], []]);
    await world.clock.advance(12_000);
    expect(sent()).toEqual(['patient']);
  });

  it('marks a message as failed again that is refused after a retry, and does not loop', async () => {
    const { world, tab, store, write, queue, tries } = await prepareOutbox();
    world.engine.fail('publish', { kind: 'rejected', status: 400 });
    const id = await write('poison');
    await world.clock.advance(1000);
    await createMessageCommands(tab, store, 'u_me').retry(id);
    await world.clock.advance(60_000);
    expect(queue()).toEqual(['failed: poison']);
    expect(tries()).toBe(2);
  });
});
