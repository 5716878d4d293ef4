import { LEADER_STALE_MS } from '#domain/limits.ts';
import { selectBrowserLink } from '#machines/leader/view.ts';
import { STORAGE_SLOW_MS } from '#machines/kit/leader-limits.ts';
import { createLeaderMachine } from '#machines/leader/leader.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

const LOCK = 'replay-desk-leader-u_me';

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A tab whose storage can be blocked, as by a transaction of another tab. */
const openTab = async (world: MemoryWorld) => {
  const store = openMemoryStore(world.database());
  let held: Promise<void> | undefined;
  let letGo = (): void => undefined;
  const takeFence = store.takeFence.bind(store);
  const writeHeartbeat = store.writeHeartbeat.bind(store);
  store.takeFence = async (...input) => {
    await held;
    return takeFence(...input);
  };
  store.writeHeartbeat = async (...input) => {
    await held;
    return writeHeartbeat(...input);
  };
  const actor = createActor(createLeaderMachine(world.openTab()), {
    clock: world.clock.timers,
    input: { store, uid: 'u_me' },
  }).start();
  stops.push(() => actor.stop());
  await settle();
  return {
    hold: () => {
      held = new Promise((resolve) => {
        letGo = resolve;
      });
    },
    letGo: async () => {
      held = undefined;
      letGo();
      await settle();
    },
    link: () => selectBrowserLink(actor.getSnapshot()).kind,
  };
};

describe('storage that another tab blocks', () => {
  it('is reported by a tab once the leader is silent, until the storage answers', async () => {
    const world = new MemoryWorld();
    world.locks.request(LOCK, { steal: false, onHeld: () => {}, onLost: () => {} });
    const hung = openMemoryStore(world.database());
    await hung.takeFence('hung', world.clock.now());
    await hung.writeHeartbeat(1, world.clock.now(), { kind: 'offline' });
    const tab = await openTab(world);
    expect(tab.link()).toBe('offline');
    tab.hold();
    await world.clock.advance(LEADER_STALE_MS + STORAGE_SLOW_MS);
    expect(tab.link()).toBe('unresponsive');
    await world.clock.advance(300_000);
    expect(tab.link()).toBe('unresponsive');
    await tab.letGo();
    await world.clock.advance(5000);
    expect(tab.link()).toBe('online');
  });

  it('is reported by the leader when its heartbeats are not stored', async () => {
    const world = new MemoryWorld();
    const tab = await openTab(world);
    expect(tab.link()).toBe('online');
    tab.hold();
    await world.clock.advance(2 * LEADER_STALE_MS);
    expect(tab.link()).toBe('unresponsive');
    await tab.letGo();
    await world.clock.advance(5000);
    expect(tab.link()).toBe('online');
  });

  it('is not reported by a tab that is merely replaced', async () => {
    const world = new MemoryWorld();
    world.locks.request(LOCK, { steal: false, onHeld: () => {}, onLost: () => {} });
    const tab = await openTab(world);
    const seen = new Set<string>();
    for (let ms = 0; ms < 30_000; ms += 500) {
      await world.clock.advance(500);
      seen.add(tab.link());
    }
    expect(seen).not.toContain('unresponsive');
    expect(tab.link()).toBe('online');
  });
});
