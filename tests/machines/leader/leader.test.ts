import { ok } from '#domain/result.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import { selectBrowserLink } from '#machines/leader/view.ts';
import { createLeaderMachine } from '#machines/leader/leader.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const openTab = async (world: MemoryWorld) => {
  const tab = world.openTab();
  const store = openMemoryStore(world.database());
  const actor = createActor(createLeaderMachine(tab), {
    clock: world.clock.timers,
    input: { store, uid: 'u_me' },
  }).start();
  stops.push(() => actor.stop());
  await settle();
  return {
    tab,
    store,
    actor,
    send: createMessageCommands(tab, store, 'u_me').sendTo(TEAM),
    leads: () => actor.getSnapshot().matches({ candidate: 'leading' }),
    link: () => selectBrowserLink(actor.getSnapshot()).kind,
  };
};

describe('leader', () => {
  it("is only the first tab, and holds the browser's only stream", async () => {
    const world = new MemoryWorld();
    const tabs = [await openTab(world), await openTab(world), await openTab(world)];
    await world.clock.advance(60_000);
    expect(tabs.map(({ leads }) => leads())).toEqual([true, false, false]);
    expect(world.engine.openStreams).toBe(1);
  });

  it('is not replaced while a full disk prevents all heartbeats', async () => {
    const world = new MemoryWorld();
    const tabs = [await openTab(world), await openTab(world)];
    world.database().failure = { kind: 'quota' };
    world.database().changed();
    await world.clock.advance(60_000);
    expect(tabs.map(({ leads }) => leads())).toEqual([true, false]);
    world.database().failure = undefined;
    world.database().changed();
    tabs[0]?.actor.stop();
    await world.clock.advance(60_000);
    expect(tabs[1]?.leads()).toBe(true);
  });

  it('publishes the link status to all tabs', async () => {
    const world = new MemoryWorld();
    const [first, second] = [await openTab(world), await openTab(world)];
    await settle();
    expect([first.link(), second.link()]).toEqual(['online', 'online']);
    world.engine.fail('stream', { kind: 'unreachable' });
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await settle();
    expect([first.link(), second.link()]).toEqual(['waiting', 'waiting']);
  });

  it('publishes a failure that only affects sending, and its end', async () => {
    const world = new MemoryWorld();
    const [first, second] = [await openTab(world), await openTab(world)];
    const links = () => [first, second].map(({ actor }) => selectBrowserLink(actor.getSnapshot()));
    world.engine.fail('publish', { kind: 'server', status: 503 });
    await second.send('held up');
    await settle();
    const blocked = { kind: 'online', blocked: true };
    expect(links()).toEqual([blocked, blocked]);
    await world.clock.advance(300_000);
    expect(links()).toEqual([blocked, blocked]);
    world.engine.heal();
    await world.clock.advance(10_000);
    expect(world.engine.log).toHaveLength(1);
    expect(links()).toEqual([{ kind: 'online' }, { kind: 'online' }]);
  });

  it('no longer reports a discarded message', async () => {
    const world = new MemoryWorld();
    const first = await openTab(world);
    world.engine.fail('publish', { kind: 'server', status: 503 });
    const id = await first.send('dropped');
    await settle();
    await first.store.append([{ type: 'v1.MessageDiscarded', id: id.ok ? id.value : '', at: 1 }]);
    await world.clock.advance(10_000);
    expect(selectBrowserLink(first.actor.getSnapshot())).toEqual({ kind: 'online' });
  });

  it('connects at once when a message is accepted during an outage', async () => {
    const world = new MemoryWorld();
    const first = await openTab(world);
    world.engine.fail('stream', { kind: 'unreachable' });
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await world.clock.advance(120_000);
    expect(first.link()).toBe('waiting');
    world.engine.heal();
    await first.send('through');
    await settle();
    expect(first.link()).toBe('online');
  });

  it('sends what any tab accepted', async () => {
    const world = new MemoryWorld();
    await openTab(world);
    const second = await openTab(world);
    await second.send('from the other tab');
    await settle();
    expect(world.engine.log).toHaveLength(1);
  });

  it('is replaced at once by the next tab when it closes', async () => {
    const world = new MemoryWorld();
    const [first, second] = [await openTab(world), await openTab(world)];
    first.actor.stop();
    await settle();
    expect(second.leads()).toBe(true);
    expect(world.engine.openStreams).toBe(1);
  });

  it('is replaced when it is silent, and can no longer write', async () => {
    const world = new MemoryWorld();
    const first = await openTab(world);
    const second = await openTab(world);
    // The tab is frozen: it holds its lock and does nothing.
    first.store.writeHeartbeat = () => new Promise(() => {});
    await world.clock.advance(13_000);
    expect(second.leads()).toBe(true);
    const oldFence = first.actor.getSnapshot().context.fence;
    expect(world.database().leader?.tabId).toBe('tab-2');
    expect(await first.store.append([], oldFence)).toEqual({
      ok: false,
      error: { kind: 'fenced' },
    });
  });

  it('queues again after it was replaced, and takes over again', async () => {
    const world = new MemoryWorld();
    const first = await openTab(world);
    const second = await openTab(world);
    const writeHeartbeat = first.store.writeHeartbeat.bind(first.store);
    first.store.writeHeartbeat = () => new Promise(() => {});
    await world.clock.advance(13_000);
    first.store.writeHeartbeat = writeHeartbeat;
    await world.clock.advance(20_000);
    expect([first.leads(), second.leads()]).toEqual([false, true]);
    second.actor.stop();
    await settle();
    expect(first.leads()).toBe(true);
  });

  it('takes over again when it finds itself replaced without having lost its lock', async () => {
    const world = new MemoryWorld();
    const first = await openTab(world);
    await first.store.takeFence('elsewhere', 1);
    await world.clock.advance(3000);
    expect(first.leads()).toBe(true);
    expect(first.actor.getSnapshot().context.fence).toBe(3);
  });

  it('is not replaced by hidden tabs before 90 seconds of silence', async () => {
    const world = new MemoryWorld();
    const first = await openTab(world);
    const second = await openTab(world);
    second.tab.environment.set('hidden');
    await world.clock.advance(12_000);
    // It does not notice that none of its heartbeats are written, because it is stopped entirely.
    first.store.writeHeartbeat = async () => ok(undefined);
    await world.clock.advance(60_000);
    expect(second.leads()).toBe(false);
    second.tab.environment.set('shown');
    await world.clock.advance(11_000);
    expect(second.leads()).toBe(true);
  });

  it('retries at once on request: the leader by connecting, another tab by taking over', async () => {
    const world = new MemoryWorld();
    world.engine.fail('stream', { kind: 'unreachable' });
    const first = await openTab(world);
    const second = await openTab(world);
    await world.clock.advance(60_000);
    world.engine.heal();
    second.actor.send({ type: 'retry.requested' });
    await settle();
    expect(second.leads()).toBe(true);
    expect([first.link(), second.link()]).toEqual(['online', 'online']);
    world.engine.fail('stream', { kind: 'unreachable' });
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await settle();
    world.engine.heal();
    second.actor.send({ type: 'retry.requested' });
    await settle();
    expect(second.link()).toBe('online');
  });

  it('waits when the store fails, and leads when it works again', async () => {
    const world = new MemoryWorld();
    world.database().failure = { kind: 'storage', detail: 'broken' };
    const first = await openTab(world);
    expect(first.leads()).toBe(false);
    world.database().failure = undefined;
    await world.clock.advance(5000);
    expect(first.leads()).toBe(true);
  });

  it('wakes waiting messages as soon as the connection is back', async () => {
    const world = new MemoryWorld();
    const first = await openTab(world);
    world.engine.fail('publish', { kind: 'unreachable' });
    world.engine.fail('stream', { kind: 'unreachable' });
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await first.send('waiting');
    await world.clock.advance(120_000);
    world.engine.heal();
    first.actor.send({ type: 'retry.requested' });
    await settle();
    expect(world.engine.log).toHaveLength(1);
  });

  it('sends to a server on this device even if the browser reports offline', async () => {
    const world = new MemoryWorld();
    const first = await openTab(world);
    first.tab.environment.set('offline');
    await first.send('one');
    await first.send('two');
    await settle();
    expect(world.engine.log).toEqual([]);
    await world.clock.advance(2000);
    expect(world.engine.log).toHaveLength(2);
    const { sendTo } = createMessageCommands(first.tab, first.store, 'u_me');
    await sendTo(toRoomKey('c_001', 'general'))('first of its room');
    await settle();
    expect(world.engine.log).toHaveLength(3);
  });
});
