import type { AppError } from '#domain/errors.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import { fail } from '#domain/result.ts';
import { REFETCH_RETRY_MAX_MS, REQUEST_LIMIT_MS } from '#machines/kit/limits.ts';
import { createUnsentRestoreMachine } from '#machines/sign-out/unsent-restore.machine.ts';
import { restoreUnsent } from '#machines/sign-out/restore-unsent.ts';
import { ROOM } from '#tests/support/facts.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';

import { openPage, signedIn } from './prepare-sign-out.ts';

const start = async (world: MemoryWorld, tab = world.openTab()) => {
  const store = openMemoryStore(world.database());
  const actor = createActor(createUnsentRestoreMachine(tab), {
    clock: world.clock.timers,
    input: { store, uid: 'u_me' },
  }).start();
  await settle();
  return actor;
};

const KEPT: OutboxItem = {
  seq: 1,
  id: 'kept',
  room: ROOM,
  text: 'waits',
  uid: 'u_me',
  at: 1,
  state: 'queued',
};

describe('kept messages that the keys do not decrypt', () => {
  it('are reported until they are discarded', async () => {
    const world = new MemoryWorld();
    world.device.unreadable.add('u_me');
    const actor = await start(world);
    expect(actor.getSnapshot().context.returned).toEqual({ loss: 'none', unreadable: true });
    world.device.failure = { kind: 'quota' };
    actor.send({ type: 'discard.chosen' });
    await settle();
    expect(actor.getSnapshot().context.returned?.unreadable).toBe(true);
    // The notice offers to try again.
    expect(actor.getSnapshot().matches({ settled: 'failed' })).toBe(true);
    world.device.failure = undefined;
    actor.send({ type: 'discard.chosen' });
    await settle();
    expect(actor.getSnapshot().context.returned?.unreadable).toBe(false);
    expect(world.device.unreadable.size).toBe(0);
  });
});

describe('a store that was lost while the page was closed', () => {
  it('is reported once the keys are available, until it is dismissed', async () => {
    const world = new MemoryWorld();
    world.database().flag = 'unsent';
    world.server.failure = { kind: 'unreachable' };
    const actor = await start(world);
    expect(actor.getSnapshot().context.returned?.loss).toBeUndefined();
    world.server.failure = undefined;
    await world.clock.advance(40_000);
    expect(actor.getSnapshot().context.returned?.loss).toBe('unsent');
    actor.send({ type: 'loss.dismissed' });
    expect(actor.getSnapshot().context.returned?.loss).toBe('none');
  });

  it('is reported as soon as a tab is shown whose server failed while it was hidden', async () => {
    const world = new MemoryWorld();
    world.database().flag = 'unsent';
    world.server.failure = { kind: 'server', status: 503 };
    const tab = world.openTab();
    tab.environment.set('hidden');
    const actor = await start(world, tab);
    // Long enough for the longest delay.
    for (let i = 0; i < 300; i += 1) await world.clock.advance(1000);
    world.server.failure = undefined;
    tab.environment.set('shown');
    await settle();
    expect(actor.getSnapshot().context.returned?.loss).toBe('unsent');
  });

  it('is reported although the storage of kept messages did not answer at first', async () => {
    const world = new MemoryWorld();
    world.database().flag = 'unsent';
    const tab = world.openTab();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const openKept = tab.device.openKept.bind(tab.device);
    tab.device.openKept = async (...given) => {
      await answered;
      return openKept(...given);
    };
    const actor = await start(world, tab);
    await world.clock.advance(REQUEST_LIMIT_MS);
    await world.clock.advance(REFETCH_RETRY_MAX_MS);
    answer();
    await settle();
    expect(actor.getSnapshot().context.returned?.loss).toBe('unsent');
  });

  it('is reported without unsent messages if its flag states none', async () => {
    const world = new MemoryWorld();
    world.database().flag = 'open';
    expect((await start(world)).getSnapshot().context.returned?.loss).toBe('store');
  });

  it('is not reported if the flag is for kept messages that exist', async () => {
    const world = new MemoryWorld();
    world.database().flag = 'kept';
    world.device.unreadable.add('u_me');
    expect((await start(world)).getSnapshot().context.returned?.loss).toBe('none');
  });

  it('is not reported if a restore was interrupted before the keys were stored', async () => {
    const world = new MemoryWorld();
    world.database().flag = 'kept';
    world.device.kept.set('u_me', [KEPT]);
    const store = openMemoryStore(world.database());
    const full = { ...store, saveKeys: async () => fail<AppError>({ kind: 'quota' }) };
    const ports = world.openTab();
    const cut = await restoreUnsent(ports, full, 'u_me', new AbortController().signal);
    expect(cut.ok).toBe(false);
    expect((await start(world)).getSnapshot().context.returned?.loss).toBe('none');
    expect(world.database().items.map(({ id }) => id)).toEqual(['kept']);
    expect(world.device.kept.has('u_me')).toBe(false);
  });

  it('causes a log entry when a restore fails, unless the signed-in part stopped meanwhile', async () => {
    const world = new MemoryWorld();
    const closed = fail<AppError>({ kind: 'storage', detail: 'DatabaseClosedError' });
    const restore = (fails: (desk: AbortController) => void) => {
      const desk = new AbortController();
      const saveKeys = async () => {
        fails(desk);
        return closed;
      };
      const store = { ...openMemoryStore(world.database()), saveKeys };
      return restoreUnsent(world.openTab(), store, 'u_me', desk.signal);
    };
    expect(await restore((desk) => desk.abort())).toEqual(closed);
    expect(world.logged).toEqual([]);
    expect(await restore(() => undefined)).toEqual(closed);
    expect(world.logged).toEqual(['KEPT_UNREAD']);
  });

  it('is reported with unsent messages if its flag states kept ones', async () => {
    const world = new MemoryWorld();
    world.database().flag = 'kept';
    expect((await start(world)).getSnapshot().context.returned?.loss).toBe('unsent');
  });
});

describe('a sign-out without a key', () => {
  it('does not offer to keep unsent messages', async () => {
    const { world, first, goOffline } = await signedIn();
    goOffline();
    await first.write('cannot be kept');
    world.database().hasKeys = false;
    first.leave();
    await settle();
    expect(first.state()).toBe('asking');
    first.logout.send({ type: 'keep.chosen' });
    expect(first.state()).toBe('asking');
    first.logout.send({ type: 'discard.chosen' });
    await settle();
    expect(first.uid()).toBeUndefined();
  });

  it('fetches the key at that moment if possible', async () => {
    const { world, first } = await signedIn();
    world.engine.fail('publish', { kind: 'unreachable' });
    await first.write('can be kept');
    world.database().hasKeys = false;
    first.leave();
    await settle();
    first.logout.send({ type: 'keep.chosen' });
    await settle();
    expect(first.uid()).toBeUndefined();
    expect(world.device.kept.get('u_me')).toMatchObject([{ text: 'can be kept' }]);
    await openPage(world);
  });
});
