import type { AppError } from '#domain/errors.ts';
import { fail } from '#domain/result.ts';
import { selectSession } from '#machines/session/session.machine.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { afterEach, describe, expect, it } from 'vitest';

import { countAsked, startSession, stopSessions } from './prepare-session.ts';

afterEach(stopSessions);

describe('stored session', () => {
  it('is deleted when the server has none, and the user is unauthenticated', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me');
    const { view } = startSession(world);
    await settle();
    expect(view().status).toBe('unauthenticated');
    expect(world.device.session).toBeUndefined();
  });

  it('is opened at once without a network', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me');
    const tab = world.openTab();
    tab.environment.online = false;
    world.server.failure = { kind: 'unreachable' };
    const { view } = startSession(world, tab);
    await settle();
    expect(view()).toMatchObject({
      status: 'authenticated',
      user: { uid: 'u_me' },
      verified: false,
    });
  });

  it('is opened as soon as the request fails, and the failure is logged once', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me');
    world.server.failure = { kind: 'server', status: 503 };
    const { view } = startSession(world);
    await settle();
    expect(view()).toMatchObject({ status: 'authenticated', verified: false });
    await world.clock.advance(60_000);
    expect(countAsked(world)).toBeGreaterThan(2);
    expect(world.logged).toEqual(['CLIENT_FETCH_ERROR']);
  });

  it('is opened at once, however long the server takes', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me');
    world.server.silent = true;
    const { view } = startSession(world);
    await settle();
    expect(countAsked(world)).toBe(1);
    expect(view()).toMatchObject({
      status: 'authenticated',
      user: { uid: 'u_me' },
      verified: false,
    });
  });

  it("is replaced by the server's user", async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_before');
    world.server.session = sessionOf('u_me');
    const { view } = startSession(world);
    await settle();
    expect(view()).toMatchObject({ user: { uid: 'u_me' }, verified: true });
    expect(world.device.session).toEqual(sessionOf('u_me'));
  });

  it("is deleted if another user's could not be stored because the sign-outs are unreadable", async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_before');
    world.server.session = sessionOf('u_me');
    const tab = world.openTab();
    const findSignOuts = async () => fail<AppError>({ kind: 'storage', detail: 'damaged' });
    const { view } = startSession(world, { ...tab, device: { ...tab.device, findSignOuts } });
    await settle();
    expect(view()).toMatchObject({ user: { uid: 'u_me' }, verified: true });
    expect(world.device.session).toBeUndefined();
  });

  it('is not opened before the server was notified of a sign-out', async () => {
    const world = new MemoryWorld();
    const seen: unknown[] = [];
    await world.device.store.signOut({ uid: 'u_me', discarded: [] });
    world.device.session = sessionOf('u_me');
    world.server.failure = { kind: 'unreachable' };
    const { actor } = startSession(world);
    actor.subscribe((snapshot) => seen.push(selectSession(snapshot).user));
    await settle();
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every((user) => user === undefined)).toBe(true);
  });

  it('is not opened after it has expired', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me', -1);
    world.server.failure = { kind: 'unreachable' };
    const { view } = startSession(world);
    await settle();
    expect(view().status).toBe('unauthenticated');
  });
});
