import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { RETENTION_KEPT_MAX } from '#domain/limits.ts';
import { fromEpochMs } from '#domain/timetoken.ts';
import { loadPage } from '#machines/history/load-page.ts';
import { createPeriodMachine, selectPeriod } from '#machines/period/period.machine.ts';

import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');
const PRODUCERS = toRoomKey('c_001', 'producers');

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A device without any message of the three rooms of its one client. */
const prepare = (messages: number) => {
  const world = new MemoryWorld();
  const since = fromEpochMs(world.clock.now() - 86_400_000);
  for (let n = 0; n < messages; n += 1) world.engine.write(TEAM, { text: `m${n}` });
  world.engine.write(GENERAL, { text: 'only one' });
  const tab = world.openTab();
  world.database().teams = [
    { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } },
  ];
  const store = openMemoryStore(world.database());
  let revalidations = 0;
  const machine = createPeriodMachine(tab, store, () => {
    revalidations += 1;
  });
  const actorOf = (rooms?: readonly RoomKey[]) => {
    const input = { since, ...(rooms && { rooms }) };
    const actor = createActor(machine, { clock: world.clock.timers, input }).start();
    stops.push(() => actor.stop());
    return { actor, view: () => selectPeriod(actor.getSnapshot()) };
  };
  const { actor, view } = actorOf();
  const load = async () => {
    actor.send({ type: 'load.requested' });
    await settle();
  };
  const stored = () => world.database().positions.get(TEAM)?.size ?? 0;
  return {
    world,
    tab,
    store,
    actor,
    actorOf,
    view,
    load,
    stored,
    revalidations: () => revalidations,
  };
};

describe('the messages of a period', () => {
  it('reports which rooms are incomplete, and loads them completely', async () => {
    const { view, load, stored } = prepare(260);
    await settle();
    expect(view().coverage).toMatchObject({ rooms: 3, overfull: 0 });
    expect(view().coverage?.missing.toSorted()).toEqual([GENERAL, PRODUCERS, TEAM].toSorted());
    await load();
    expect(view()).toMatchObject({ isLoading: false, loaded: 3, toLoad: 3, error: undefined });
    expect(view().coverage).toMatchObject({ missing: [] });
    expect(stored()).toBe(260);
  });

  it('does not include rooms of a removed client', async () => {
    const { world, tab, store, actorOf } = prepare(1);
    const removed = toRoomKey('c_002', 'team');
    world.engine.write(removed, { text: 'earlier' });
    await loadPage(tab, { store }, { room: removed, count: 1 }, new AbortController().signal);
    const { view } = actorOf();
    await settle();
    expect(view().coverage).toMatchObject({ rooms: 3 });
  });

  it('stops on request, and resumes where it stopped', async () => {
    const { world, actor, view, load, stored } = prepare(260);
    await settle();
    const reading = world.engine.readHistory;
    let calls = 0;
    world.engine.readHistory = async (...args) => {
      const answer = await reading(...args);
      calls += 1;
      if (calls === 2) actor.send({ type: 'stop.requested' });
      return answer;
    };
    await load();
    expect(view().isLoading).toBe(false);
    expect(view().coverage?.missing.length).toBeGreaterThan(0);
    const before = stored();
    expect(before).toBeLessThan(260);
    const requests: unknown[] = [];
    world.engine.readHistory = async (query, cancel) => {
      requests.push(query);
      return reading(query, cancel);
    };
    await load();
    expect(view().coverage?.missing).toEqual([]);
    expect(stored()).toBe(260);
    // Without the pages that were read before: three of the large room, one of each other room.
    expect(calls + requests.length).toBeLessThanOrEqual(6);
  });

  it('loads on request while it is still checking', async () => {
    const { actor, view } = prepare(30);
    await settle();
    actor.send({ type: 'load.requested' });
    actor.send({ type: 'stop.requested' });
    actor.send({ type: 'load.requested' });
    await settle();
    expect(view().coverage?.missing).toEqual([]);
  });

  it.each([
    ['the network returns', 'online'],
    ['the page is shown', 'shown'],
  ] as const)('keeps the failure, and resumes by itself when %s', async (_when, change) => {
    const { world, tab, view, load } = prepare(30);
    await settle();
    world.engine.fail('history', { kind: 'unreachable' });
    await load();
    expect(view()).toMatchObject({ isLoading: false, error: { kind: 'unreachable' } });
    world.engine.heal();
    tab.environment.set(change);
    await settle();
    expect(view()).toMatchObject({ error: undefined });
    expect(view().coverage?.missing).toEqual([]);
  });

  it('forgets the failure once something else has loaded the rooms', async () => {
    const { world, actorOf, view, load } = prepare(30);
    await settle();
    world.engine.fail('history', { kind: 'unreachable' });
    await load();
    world.engine.heal();
    const { actor: other } = actorOf();
    await settle();
    other.send({ type: 'load.requested' });
    await settle();
    expect(view().error).toEqual({ kind: 'unreachable' });
    await world.clock.advance(60_000);
    expect(view()).toMatchObject({ error: undefined, isLoading: false });
    expect(view().coverage?.missing).toEqual([]);
  });

  it('also resumes if the network returns while it is checking after the failure', async () => {
    const { world, tab, actor, view, load } = prepare(30);
    await settle();
    world.engine.fail('history', { kind: 'unreachable' });
    const checks = actor.subscribe((snapshot) => {
      if (!snapshot.matches('checking') || snapshot.context.error === undefined) return;
      checks.unsubscribe();
      world.engine.heal();
      tab.environment.set('online');
    });
    await load();
    expect(view()).toMatchObject({ error: undefined });
    expect(view().coverage?.missing).toEqual([]);
  });

  it('gets a new token and revalidates the session after a 401', async () => {
    const { world, view, load, revalidations } = prepare(1);
    await settle();
    world.engine.fail('history', { kind: 'unauthenticated' });
    await load();
    expect(view().error).toEqual({ kind: 'unauthenticated' });
    expect(revalidations()).toBe(1);
  });

  it('loads at most as much of a room as a device keeps', async () => {
    const { world, view, load, stored } = prepare(RETENTION_KEPT_MAX + 500);
    await settle();
    await load();
    expect(view().coverage).toMatchObject({ missing: [], overfull: 1 });
    expect(stored()).toBeLessThan(RETENTION_KEPT_MAX + 100);
    expect(world.engine.calls.filter(({ operation }) => operation === 'history').length).toBe(22);
  });

  it('covers only the requested rooms', async () => {
    const { actorOf } = prepare(30);
    const { actor, view } = actorOf([GENERAL]);
    await settle();
    expect(view().coverage).toMatchObject({ rooms: 1, missing: [GENERAL] });
    actor.send({ type: 'load.requested' });
    await settle();
    expect(view().coverage).toMatchObject({ rooms: 1, missing: [] });
  });

  it('checks again while nothing is loaded', async () => {
    const { world, view } = prepare(1);
    await settle();
    expect(view().coverage?.rooms).toBe(3);
    world.database().teams = [];
    await world.clock.advance(31_000);
    await settle();
    expect(view().coverage?.rooms).toBe(0);
  });

  it('checks again soon while no room is known', async () => {
    const { world, actorOf } = prepare(1);
    const { teams } = world.database();
    world.database().teams = [];
    const { view } = actorOf();
    await settle();
    expect(view().coverage?.rooms).toBe(0);
    world.database().teams = teams;
    await world.clock.advance(1000);
    await settle();
    expect(view().coverage).toMatchObject({ rooms: 3 });
  });

  it('checks again soon while rooms are missing, and less often if nothing changes', async () => {
    const { world, tab, store, view } = prepare(1);
    let checks = 0;
    const findAllCoverage = store.findAllCoverage.bind(store);
    store.findAllCoverage = (...args) => {
      checks += 1;
      return findAllCoverage(...args);
    };
    await settle();
    expect(view().coverage?.missing).toHaveLength(3);
    // Its rooms are being prefetched.
    await loadPage(tab, { store }, { room: TEAM, count: 25 }, new AbortController().signal);
    await world.clock.advance(1000);
    await settle();
    expect(view().coverage?.missing).toHaveLength(2);
    checks = 0;
    await world.clock.advance(31_000);
    await settle();
    expect(checks).toBe(5);
    await world.clock.advance(60_000);
    await settle();
    expect(checks).toBe(7);
  });
});
