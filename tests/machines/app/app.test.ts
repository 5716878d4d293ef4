import { toRoomKey } from '#domain/rooms.ts';
import { createMessageCommands } from '#machines/outbox/commands.ts';
import { selectSession } from '#machines/session/session.machine.ts';
import { createWholeApp } from '#tests/support/machines/whole-app.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
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
  const actor = createActor(createWholeApp(tab), {
    clock: world.clock.timers,
  }).start();
  stops.push(() => actor.stop());
  await settle();
  const { session, logout } = actor.getSnapshot().children;
  const desk = () => actor.getSnapshot().context.desk?.getSnapshot();
  return {
    tab,
    actor,
    desk,
    session: session!,
    logout: logout!,
    status: () => selectSession(session!.getSnapshot()).status,
  };
};

const signedIn = async (uid = 'u_me') => {
  const world = new MemoryWorld();
  world.server.session = sessionOf(uid);
  return { world, ...(await openTab(world)) };
};

describe('app', () => {
  it('starts the signed-in part for the user, and it leads and works', async () => {
    const { world, tab, desk } = await signedIn();
    expect(desk()?.context.uid).toBe('u_me');
    expect(desk()?.value).toEqual({ holding: { open: 'complete' } });
    const store = openMemoryStore(world.database());
    await createMessageCommands(tab, store, 'u_me').sendTo(TEAM)('hello');
    await settle();
    expect(world.engine.log).toHaveLength(1);
  });

  it('never opens the store of a user who signed out meanwhile', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const tab = world.openTab();
    const opened: string[] = [];
    const { device, openStore } = tab;
    const listPendingPurges = device.listPendingPurges.bind(device);
    const late = Promise.withResolvers<void>();
    let isFirst = true;
    device.listPendingPurges = async () => {
      const pending = await listPendingPurges();
      if (isFirst) await late.promise;
      isFirst = false;
      return pending;
    };
    const watched = { ...tab, openStore: (uid: string) => (opened.push(uid), openStore(uid)) };
    const actor = createActor(createWholeApp(watched), {
      clock: world.clock.timers,
    }).start();
    stops.push(() => actor.stop());
    await settle();
    world.server.session = sessionOf('u_other');
    actor.getSnapshot().children.session?.send({ type: 'session.changed' });
    await settle();
    late.resolve();
    await settle();
    // Access tokens are requested for the user of the store that was opened last.
    expect(opened).toEqual(['u_other']);
  });

  it('starts no signed-in part without a user', async () => {
    const { status, desk } = await openTab(new MemoryWorld());
    expect(status()).toBe('unauthenticated');
    expect(desk()).toBeUndefined();
  });

  it('starts the signed-in part for the last user offline', async () => {
    const world = new MemoryWorld();
    world.device.session = sessionOf('u_me');
    world.server.failure = { kind: 'unreachable' };
    const { desk } = await openTab(world);
    expect(desk()?.context.uid).toBe('u_me');
  });

  it('keeps the signed-in part while the session is only refetched', async () => {
    const { world, tab, desk, actor } = await signedIn();
    const before = actor.getSnapshot().context.desk;
    world.server.failure = { kind: 'unreachable' };
    tab.environment.set('shown');
    await settle();
    world.server.failure = undefined;
    tab.environment.set('shown');
    await settle();
    expect(actor.getSnapshot().context.desk).toBe(before);
    expect(desk()?.status).toBe('active');
  });

  it('closes the store of one user before that of another opens', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const tab = world.openTab();
    const opened: string[] = [];
    const openStore = tab.openStore;
    const actor = createActor(
      createWholeApp({
        ...tab,
        openStore: (uid) => {
          opened.push(`${uid} while ${world.database('u_me').open} open`);
          return openStore(uid);
        },
      }),
      { clock: world.clock.timers },
    ).start();
    stops.push(() => actor.stop());
    await settle();
    world.server.session = sessionOf('u_other');
    tab.environment.set('shown');
    await settle();
    expect(actor.getSnapshot().context.uid).toBe('u_other');
    expect(opened).toEqual(['u_me while 0 open', 'u_other while 0 open']);
    expect(world.database('u_me').open).toBe(0);
    expect(world.engine.openStreams).toBe(1);
  });

  it('closes a store that opened after its user signed out', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const tab = world.openTab();
    let finish = (): void => {};
    const late = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { openStore } = tab;
    const slow = async (uid: string) => {
      await late;
      return openStore(uid);
    };
    const actor = createActor(createWholeApp({ ...tab, openStore: slow }), {
      clock: world.clock.timers,
    }).start();
    stops.push(() => actor.stop());
    await settle();
    world.server.session = undefined;
    tab.environment.set('shown');
    await settle();
    finish();
    await settle();
    expect(world.database().open).toBe(0);
  });

  it('reports that the storage cannot be opened, and retries on request', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    world.openFailure = { kind: 'storage', detail: 'blocked' };
    const { actor, desk } = await openTab(world);
    expect(desk()?.value).toBe('failed');
    expect(desk()?.context.error).toEqual({ kind: 'storage', detail: 'blocked' });
    world.openFailure = undefined;
    actor.getSnapshot().context.desk?.send({ type: 'retry.requested' });
    await settle();
    expect(desk()?.value).toEqual({ holding: { open: 'complete' } });
  });

  it('retries by itself until the storage opens, and reports the failure until then', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    world.openFailure = { kind: 'quota' };
    const { desk } = await openTab(world);
    await world.clock.advance(3000);
    expect(desk()?.context.error).toEqual({ kind: 'quota' });
    world.openFailure = undefined;
    await world.clock.advance(30_000);
    expect(desk()?.value).toEqual({ holding: { open: 'complete' } });
    expect(desk()?.context.error).toBeUndefined();
  });

  it('reopens the store when its data was deleted in another tab', async () => {
    const { world, tab, desk } = await signedIn();
    await world.device.store.signOut({ uid: 'u_me', discarded: [] });
    await world.device.store.confirmSignOut();
    await world.device.store.purgeUserData('u_me');
    await world.clock.advance(3000);
    expect(desk()?.value).toEqual({ holding: { open: 'complete' } });
    await createMessageCommands(tab, openMemoryStore(world.database()), 'u_me').sendTo(TEAM)(
      'goes on',
    );
    await settle();
    expect(world.engine.log).toHaveLength(1);
  });

  it('requests the session again when a publish is answered 401 twice', async () => {
    const { world, tab, status } = await signedIn();
    const store = openMemoryStore(world.database());
    world.engine.fail('publish', { kind: 'unauthenticated' });
    world.server.session = undefined;
    await createMessageCommands(tab, store, 'u_me').sendTo(TEAM)('kept');
    await settle();
    expect(status()).toBe('unauthenticated');
    expect(world.database().items).toHaveLength(1);
    expect(world.engine.log).toEqual([]);
  });

  it.each(['stream', 'counts'] as const)(
    'requests it again when a %s is answered 401',
    async (operation) => {
      const world = new MemoryWorld();
      world.server.session = sessionOf('u_me');
      const { tab } = await openTab(world);
      const store = openMemoryStore(world.database());
      const { timetoken } = world.engine.write(TEAM, { text: 'known' });
      const page = { room: TEAM, from: timetoken, to: timetoken, reachedStart: true };
      await store.append([{ type: 'v1.HistoryPageLoaded', ...page }]);
      world.engine.forget();
      world.engine.write(TEAM, { text: 'missed' }, { silent: true });
      const before = world.server.calls.filter((call) => call === 'session').length;
      world.engine.fail(operation, { kind: 'unauthenticated' }, 1);
      world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
      await world.clock.advance(3000);
      expect(tab.environment.isOnline()).toBe(true);
      expect(world.server.calls.filter((call) => call === 'session').length).toBe(before + 1);
    },
  );
});
