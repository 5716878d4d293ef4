import { TEAMS_TTL_MS } from '#domain/limits.ts';
import { fail } from '#domain/result.ts';
import { createTeamsMachine, isFresh, selectTeams } from '#machines/teams/teams.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports/store.ts';
import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

const MAYA = { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } };
const ANN = { uid: 'u_ann', name: 'Ann' };

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const prepare = () => {
  const world = new MemoryWorld();
  world.server.teams = [MAYA];
  world.server.producers = [ANN];
  const tab = world.openTab();
  const open = async () => {
    const actor = createActor(createTeamsMachine(tab), {
      clock: world.clock.timers,
      input: { store: openMemoryStore(world.database()) },
    }).start();
    stops.push(() => actor.stop());
    await settle();
    return { actor, view: () => selectTeams(actor.getSnapshot()) };
  };
  const fetches = () => world.server.calls.filter((call) => call === 'teams').length;
  return { world, tab, open, fetches };
};

describe('teams', () => {
  it('are fetched and stored together with the producers', async () => {
    const { world, open } = prepare();
    const { view } = await open();
    expect(view()).toEqual({ state: 'success', refetching: false, failed: false });
    expect(world.database().teams).toEqual([MAYA]);
    expect(world.database().producers).toEqual([ANN]);
  });

  it('are fetched again after 30 minutes, and not before', async () => {
    const { world, open, fetches } = prepare();
    const { view } = await open();
    await world.clock.advance(TEAMS_TTL_MS - 1000);
    const second = await open();
    expect(second.view().state).toBe('success');
    expect(fetches()).toBe(1);
    second.actor.stop();
    await world.clock.advance(2000);
    expect(fetches()).toBe(2);
    expect(view()).toEqual({ state: 'success', refetching: false, failed: false });
  });

  it.each(['shown', 'online'] as const)(
    'are fetched again after the device slept, once the page is %s',
    async (change) => {
      const { world, tab, open, fetches } = prepare();
      await open();
      world.clock.sleep(TEAMS_TTL_MS - 1);
      tab.environment.set(change);
      await settle();
      expect(fetches()).toBe(1);
      world.server.producers = [ANN, { uid: 'u_ben', name: 'Ben' }];
      world.clock.sleep(1);
      tab.environment.set(change);
      await settle();
      expect(fetches()).toBe(2);
      expect(world.database().producers).toHaveLength(2);
    },
  );

  it('are fetched again after the device slept although the producers failed before', async () => {
    const { world, tab, open, fetches } = prepare();
    tab.staffApi.getProducers = async () => fail({ kind: 'server', status: 502 });
    await open();
    world.clock.sleep(TEAMS_TTL_MS);
    tab.environment.set('shown');
    await settle();
    expect(fetches()).toBe(2);
  });

  it('are not fetched by every tab if one did', async () => {
    const { world, open, fetches } = prepare();
    for (let tab = 0; tab < 5; tab += 1) await open();
    await world.clock.advance(TEAMS_TTL_MS - 1);
    world.database().teamsFetchedAt = world.clock.now();
    await world.clock.advance(1000);
    expect(fetches()).toBe(1);
  });

  it('are shown while they are stale and refetched', async () => {
    const { world, open } = prepare();
    (await open()).actor.stop();
    await world.clock.advance(TEAMS_TTL_MS * 2);
    world.server.silent = true;
    const { view } = await open();
    expect(view()).toEqual({ state: 'success', refetching: true, failed: false });
  });

  it('stay without a network whatever their age, and are refetched when it returns', async () => {
    const { world, tab, open, fetches } = prepare();
    (await open()).actor.stop();
    world.server.failure = { kind: 'unreachable' };
    await world.clock.advance(TEAMS_TTL_MS * 100);
    const { view } = await open();
    expect(view()).toEqual({ state: 'success', refetching: false, failed: true });
    world.server.failure = undefined;
    const before = fetches();
    tab.environment.set('online');
    await settle();
    expect(fetches()).toBe(before + 1);
    expect(view().failed).toBe(false);
  });

  it('are an error only with nothing cached, and recover with a retry or after a while', async () => {
    const { world, open } = prepare();
    world.server.failure = { kind: 'server', status: 500 };
    const { actor, view } = await open();
    expect(view()).toEqual({ state: 'error', refetching: false, failed: true });
    actor.send({ type: 'retry.requested' });
    expect(view()).toEqual({ state: 'error', refetching: true, failed: true });
    await world.clock.advance(90_000);
    expect(view().state).toBe('error');
    world.server.failure = undefined;
    await world.clock.advance(30_000);
    expect(view().state).toBe('success');
  });

  it('are fetched again on request while fresh, but not within ten seconds', async () => {
    const { world, open, fetches } = prepare();
    const { actor, view } = await open();
    const request = async (): Promise<void> => {
      actor.send({ type: 'retry.requested' });
      await settle();
    };
    await world.clock.advance(9999);
    await request();
    expect(fetches()).toBe(1);
    await world.clock.advance(1);
    await request();
    expect(fetches()).toBe(2);
    await request();
    expect(fetches()).toBe(2);
    world.server.failure = { kind: 'unreachable' };
    await world.clock.advance(10_000);
    await request();
    expect(view()).toEqual({ state: 'success', refetching: false, failed: true });
  });

  it('keep the stored producers when the answer is empty', async () => {
    const { world, open } = prepare();
    await open();
    world.server.producers = [];
    await world.clock.advance(TEAMS_TTL_MS + 1000);
    expect(world.database().producers).toEqual([ANN]);
  });

  it('are followed by the producers once these can be fetched', async () => {
    const { world, tab, open } = prepare();
    const getProducers = tab.staffApi.getProducers.bind(tab.staffApi);
    let asked = 0;
    tab.staffApi.getProducers = async (cancel) => {
      asked += 1;
      return asked < 4 ? fail({ kind: 'server', status: 502 }) : getProducers(cancel);
    };
    const { view } = await open();
    expect(view()).toEqual({ state: 'success', refetching: false, failed: false });
    tab.environment.set('online');
    await settle();
    tab.environment.set('shown');
    await settle();
    expect([asked, world.database().producers]).toEqual([3, []]);
    await world.clock.advance(240_000);
    expect([asked, world.database().producers]).toEqual([4, [ANN]]);
    await world.clock.advance(600_000);
    expect(asked).toBe(4);
  });

  it('stay as they are if the session belongs to another user', async () => {
    const { world, open } = prepare();
    const { view } = await open();
    world.server.failure = { kind: 'unauthenticated' };
    world.server.teams = [];
    await world.clock.advance(TEAMS_TTL_MS + 1000);
    expect(view()).toMatchObject({ state: 'success', failed: true });
    expect(world.database().teams).toEqual([MAYA]);
    expect(world.database().producers).toEqual([ANN]);
  });

  it('cause few requests in hidden tabs, and are refetched when one is shown', async () => {
    const { world, tab, open, fetches } = prepare();
    world.server.failure = { kind: 'unreachable' };
    tab.environment.visible = false;
    const { view } = await open();
    await world.clock.advance(600_000);
    expect(fetches()).toBeLessThan(15);
    world.server.failure = undefined;
    tab.environment.set('shown');
    await settle();
    expect(view().state).toBe('success');
  });
});

describe('isFresh', () => {
  it('lasts for the time to live and not a millisecond longer', () => {
    expect(isFresh(1000, 1000, 500)).toBe(true);
    expect(isFresh(1000, 1499, 500)).toBe(true);
    expect(isFresh(1000, 1500, 500)).toBe(false);
  });

  it('is stale before any fetch and after the clock was set back', () => {
    expect(isFresh(undefined, 1000, 500)).toBe(false);
    expect(isFresh(1000, 999, 500)).toBe(false);
  });
});
