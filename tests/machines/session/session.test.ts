import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { afterEach, describe, expect, it } from 'vitest';

import { countAsked, startSession, stopSessions } from './prepare-session.ts';

afterEach(stopSessions);

describe('session at start', () => {
  it('starts as loading', () => {
    const { view } = startSession(new MemoryWorld());
    expect(view()).toMatchObject({ status: 'loading', user: undefined, verified: false });
  });

  it('is authenticated and stored when the server confirms it', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const { view } = startSession(world);
    await settle();
    expect(view()).toMatchObject({
      status: 'authenticated',
      user: { uid: 'u_me' },
      verified: true,
    });
    expect(world.device.session).toEqual(sessionOf('u_me'));
  });

  it('logs a failing device storage as a session failure and continues', async () => {
    const world = new MemoryWorld();
    world.device.failure = { kind: 'storage', detail: 'broken' };
    world.server.session = sessionOf('u_me');
    const { view } = startSession(world);
    await settle();
    expect(view().verified).toBe(true);
    // It can neither find the session, nor the sign-outs, nor delete the session.
    expect(world.logged).toEqual(Array.from({ length: 3 }, () => 'CLIENT_SESSION_ERROR'));
  });

  it('signs in by itself when nothing was stored and the server returns', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    world.server.failure = { kind: 'unreachable' };
    const { view } = startSession(world);
    await settle();
    expect(view().status).toBe('unauthenticated');
    world.server.failure = undefined;
    await world.clock.advance(30_000);
    expect(view().verified).toBe(true);
  });
});

describe('session of a server on this device', () => {
  it('is requested even if the browser reports offline', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const tab = world.openTab();
    tab.environment.online = false;
    const { view } = startSession(world, tab);
    await settle();
    expect(view().verified).toBe(true);
  });
});

describe('a verified session', () => {
  const startVerified = async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const parts = startSession(world);
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
        world.server.tabs.forEach((notify) => notify()),
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
    expect(countAsked(parts.world)).toBe(2);
  });

  it('is refetched at the configured interval, or never without one', async () => {
    const polling = await startVerified();
    polling.actor.send({ type: 'poll.configured', seconds: 60 });
    await polling.world.clock.advance(185_000);
    expect(countAsked(polling.world)).toBe(4);
    const still = await startVerified();
    await still.world.clock.advance(185_000);
    expect(countAsked(still.world)).toBe(1);
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
    expect(countAsked(world)).toBe(1);
  });

  it('is requested after half of its lifetime while the page stays visible, so that it is renewed', async () => {
    const { world, view } = await startVerified();
    await world.clock.advance(11 * 3_600_000);
    expect(countAsked(world)).toBe(1);
    world.server.session = sessionOf('u_me', 36);
    await world.clock.advance(3_600_000);
    expect(countAsked(world)).toBe(2);
    await world.clock.advance(11 * 3_600_000);
    expect(countAsked(world)).toBe(2);
    expect(view().verified).toBe(true);
  });

  it('is requested at its expiry while hidden, and continues if it was renewed elsewhere', async () => {
    const { world, tab, view } = await startVerified();
    tab.environment.set('hidden');
    world.server.session = sessionOf('u_me', 48);
    await world.clock.advance(25 * 3_600_000);
    expect(view().verified).toBe(true);
    expect(countAsked(world)).toBe(2);
  });

  it("stays open if the server confirms it although the device's clock is far ahead", async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me', -24 * 40);
    const { view } = startSession(world);
    await world.clock.advance(10_000);
    expect(view()).toMatchObject({ status: 'authenticated', verified: true });
    expect(countAsked(world)).toBe(1);
    await world.clock.advance(600_000);
    expect(view().verified).toBe(true);
    expect(countAsked(world)).toBeLessThan(15);
    // An outage ends it as little as with a right clock.
    world.server.failure = { kind: 'unreachable' };
    await world.clock.advance(600_000);
    expect(view()).toMatchObject({ status: 'authenticated', verified: false });
    world.server.failure = undefined;
    world.server.session = undefined;
    await world.clock.advance(60_000);
    expect(view().status).toBe('unauthenticated');
  });

  it('ends at once when this tab signed out, as an explicit sign-out', async () => {
    const { actor, view, world } = await startVerified();
    await world.device.store.signOut({ uid: 'u_me', discarded: [] });
    actor.send({ type: 'session.ended' });
    await settle();
    expect(view()).toMatchObject({ status: 'unauthenticated', user: undefined, signedOut: true });
  });
});
