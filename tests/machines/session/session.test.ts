import { createSessionMachine } from '#machines/session/session.machine.ts';
import { selectSession } from '#machines/session/session.machine.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { type Actor, createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

type SessionActor = Actor<ReturnType<typeof createSessionMachine>>;

const running: SessionActor[] = [];

const start = (world: MemoryWorld, tab = world.openTab()) => {
  const actor = createActor(createSessionMachine(tab), {
    clock: world.clock.timers,
  }).start();
  running.push(actor);
  return { actor, tab, view: () => selectSession(actor.getSnapshot()) };
};

const asked = (world: MemoryWorld) =>
  world.server.calls.filter((call) => call === 'session').length;

afterEach(() => {
  for (const actor of running.splice(0)) actor.stop();
});

describe('session at start', () => {
  it('starts as loading', () => {
    const { view } = start(new MemoryWorld());
    expect(view()).toMatchObject({ status: 'loading', user: undefined, verified: false });
  });

  it('is authenticated and stored when the server confirms it', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const { view } = start(world);
    await settle();
    expect(view()).toMatchObject({
      status: 'authenticated',
      user: { uid: 'u_me' },
      verified: true,
    });
    expect(world.device.session).toEqual(sessionOf('u_me'));
  });

  it('is unauthenticated when the server has none, and the stored one is deleted', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me');
    const { view } = start(world);
    await settle();
    expect(view().status).toBe('unauthenticated');
    expect(world.device.session).toBeUndefined();
  });

  it('opens the stored session at once without a network', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me');
    const tab = world.openTab();
    tab.environment.online = false;
    world.server.failure = { kind: 'unreachable' };
    const { view } = start(world, tab);
    await settle();
    expect(view()).toMatchObject({
      status: 'authenticated',
      user: { uid: 'u_me' },
      verified: false,
    });
  });

  it('opens the stored session as soon as the request fails, and logs the failure once', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me');
    world.server.failure = { kind: 'server', status: 503 };
    const { view } = start(world);
    await settle();
    expect(view()).toMatchObject({ status: 'authenticated', verified: false });
    await world.clock.advance(60_000);
    expect(asked(world)).toBeGreaterThan(2);
    expect(world.logged).toEqual(['CLIENT_FETCH_ERROR']);
  });

  it('waits 1.5 s for a slow answer before it opens the stored session', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me');
    world.server.silent = true;
    const { view } = start(world);
    await world.clock.advance(1400);
    expect(view().status).toBe('loading');
    await world.clock.advance(200);
    expect(view()).toMatchObject({ status: 'authenticated', verified: false });
  });

  it('does not open a stored session that has expired', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me', -1);
    world.server.failure = { kind: 'unreachable' };
    const { view } = start(world);
    await settle();
    expect(view().status).toBe('unauthenticated');
  });

  it('logs a failing device storage as a session failure and continues', async () => {
    const world = new MemoryWorld();
    world.device.failure = { kind: 'storage', detail: 'broken' };
    world.server.session = sessionOf('u_me');
    const { view } = start(world);
    await settle();
    expect(view().verified).toBe(true);
    expect(world.logged).toEqual(['CLIENT_SESSION_ERROR', 'CLIENT_SESSION_ERROR']);
  });

  it('signs in by itself when nothing was stored and the server returns', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    world.server.failure = { kind: 'unreachable' };
    const { view } = start(world);
    await settle();
    expect(view().status).toBe('unauthenticated');
    world.server.failure = undefined;
    await world.clock.advance(30_000);
    expect(view().verified).toBe(true);
  });
});

describe('session of a server on this device', () => {
  it('is requested although the browser reports offline', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const tab = world.openTab();
    tab.environment.online = false;
    const { view } = start(world, tab);
    await settle();
    expect(view().verified).toBe(true);
  });
});

describe('session later on', () => {
  const startVerified = async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const parts = start(world);
    await settle();
    return { world, ...parts };
  };

  it.each([
    [
      'the page is shown',
      ({ tab }: Awaited<ReturnType<typeof startVerified>>) => tab.environment.set('shown'),
    ],
    [
      'the network returns',
      ({ tab }: Awaited<ReturnType<typeof startVerified>>) => tab.environment.set('online'),
    ],
    [
      'another tab signals a change',
      ({ world }: Awaited<ReturnType<typeof startVerified>>) =>
        world.server.tabs.forEach((tell) => tell()),
    ],
    [
      'a request was answered 401',
      ({ actor }: Awaited<ReturnType<typeof startVerified>>) =>
        actor.send({ type: 'session.revalidate' }),
    ],
  ])('is refetched when %s', async (_what, cause) => {
    const parts = await startVerified();
    parts.world.server.session = undefined;
    cause(parts);
    await settle();
    expect(parts.view().status).toBe('unauthenticated');
    expect(parts.world.device.session).toBeUndefined();
    expect(asked(parts.world)).toBe(2);
  });

  it('is refetched at the configured interval, else never', async () => {
    const polling = await startVerified();
    polling.actor.send({ type: 'poll.configured', seconds: 60 });
    await polling.world.clock.advance(185_000);
    expect(asked(polling.world)).toBe(4);
    const still = await startVerified();
    await still.world.clock.advance(185_000);
    expect(asked(still.world)).toBe(1);
  });

  it('stays open unverified while the server is unreachable, and is verified afterwards', async () => {
    const { world, tab, view } = await startVerified();
    world.server.failure = { kind: 'unreachable' };
    tab.environment.set('shown');
    await settle();
    expect(view()).toMatchObject({ status: 'authenticated', verified: false });
    world.server.failure = undefined;
    tab.environment.set('online');
    await settle();
    expect(view().verified).toBe(true);
  });

  it('ends when it expires while the server is unreachable', async () => {
    const { world, tab, view } = await startVerified();
    world.server.failure = { kind: 'unreachable' };
    tab.environment.set('shown');
    await world.clock.advance(23 * 3_600_000);
    expect(view().status).toBe('authenticated');
    await world.clock.advance(2 * 3_600_000);
    expect(view()).toMatchObject({ status: 'unauthenticated', user: undefined, verified: false });
    expect(world.device.session).toBeUndefined();
  });

  it('stays verified across the hourly check of its expiry', async () => {
    const { world, view } = await startVerified();
    await world.clock.advance(5 * 3_600_000);
    expect(view().verified).toBe(true);
    expect(asked(world)).toBe(1);
  });

  it('asks the server at its expiry, and continues if it was renewed elsewhere', async () => {
    const { world, view } = await startVerified();
    world.server.session = sessionOf('u_me', 48);
    await world.clock.advance(25 * 3_600_000);
    expect(view().verified).toBe(true);
    expect(asked(world)).toBe(2);
  });

  it("stays open if the server confirms it although the device's clock is far ahead", async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me', -24 * 40);
    const { view } = start(world);
    await world.clock.advance(10_000);
    expect(view()).toMatchObject({ status: 'authenticated', verified: true });
    expect(asked(world)).toBe(1);
    await world.clock.advance(600_000);
    expect(view().verified).toBe(true);
    expect(asked(world)).toBeLessThan(15);
    world.server.session = undefined;
    await world.clock.advance(60_000);
    expect(view().status).toBe('unauthenticated');
  });

  it('ends at once when this tab signed out, as an explicit sign-out', async () => {
    const { actor, view, world } = await startVerified();
    await world.device.store.signOut({ uid: 'u_me', discarded: [] });
    actor.send({ type: 'session.ended' });
    await settle();
    expect(view()).toMatchObject({ status: 'unauthenticated', user: undefined, left: true });
  });
});
