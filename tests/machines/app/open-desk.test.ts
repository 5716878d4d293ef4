import { fail } from '#domain/result.ts';
import { selectSession } from '#machines/session/session.machine.ts';
import { createWholeApp } from '#tests/support/machines/whole-app.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor } from 'xstate';
import { describe, expect, it, onTestFinished } from 'vitest';

import { openPage, signedIn } from '../sign-out/prepare-sign-out.ts';

it('opens nothing for a user who signed out meanwhile', async () => {
  const world = new MemoryWorld();
  world.server.session = sessionOf('u_me');
  const tab = world.openTab();
  const { promise: late, resolve: finish } = Promise.withResolvers<void>();
  const opened: string[] = [];
  let isFirst = true;
  const actor = createActor(
    createWholeApp({
      ...tab,
      openStore: (uid) => {
        opened.push(uid);
        return tab.openStore(uid);
      },
      device: {
        ...tab.device,
        listPendingPurges: async () => {
          const pending = await tab.device.listPendingPurges();
          if (isFirst) await late;
          isFirst = false;
          return pending;
        },
      },
    }),
    { clock: world.clock.timers },
  ).start();
  await settle();
  world.server.session = sessionOf('u_other');
  tab.environment.set('shown');
  await settle();
  finish();
  await settle();
  actor.stop();
  expect(opened).toEqual(['u_other']);
});

it('opens nothing for a user whose sign-out could not be read at the start', async () => {
  const world = new MemoryWorld();
  world.server.session = sessionOf('u_me');
  world.device.pending = true;
  const tab = world.openTab();
  let isFull = true;
  const opened: string[] = [];
  const device: typeof tab.device = {
    ...tab.device,
    findSignOuts: async () => (isFull ? fail({ kind: 'quota' }) : tab.device.findSignOuts()),
  };
  const openStore: typeof tab.openStore = async (uid) => {
    if (isFull) return fail({ kind: 'quota' });
    opened.push(uid);
    return tab.openStore(uid);
  };
  const actor = createActor(createWholeApp({ ...tab, device, openStore }), {
    clock: world.clock.timers,
  }).start();
  onTestFinished(() => void actor.stop());
  await settle();
  const uid = () => selectSession(actor.getSnapshot().children.session!.getSnapshot()).user?.uid;
  expect(uid()).toBe('u_me');
  isFull = false;
  await world.clock.advance(60_000);
  expect([uid(), opened, world.device.pending]).toEqual([undefined, [], false]);
});

describe('messages kept at a sign-out', () => {
  it('are restored once they can be stored, even if they could not be at the sign-in', async () => {
    const { world, first, goOffline, goOnline } = await signedIn();
    goOffline();
    await first.write('kept');
    first.leave();
    await settle();
    first.logout.send({ type: 'keep.chosen' });
    await settle();
    first.stop();
    goOnline();
    world.server.session = sessionOf('u_me');
    world.device.pending = false;
    world.database().failure = { kind: 'quota' };
    const second = await openPage(world);
    expect([second.uid(), world.engine.log.length]).toEqual(['u_me', 0]);
    world.database().failure = undefined;
    await world.clock.advance(40_000);
    expect(world.engine.log).toMatchObject([{ publisher: 'u_me', message: { text: 'kept' } }]);
    expect(world.device.kept.size).toBe(0);
  });
});

describe('a store that a full disk keeps closed', () => {
  const openHidden = async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    const tab = world.openTab();
    tab.environment.set('hidden');
    let isFull = true;
    const openStore: typeof tab.openStore = async (uid) =>
      isFull ? fail({ kind: 'quota' }) : tab.openStore(uid);
    const actor = createActor(createWholeApp({ ...tab, openStore, random: { next: () => 1 } }), {
      clock: world.clock.timers,
    });
    onTestFinished(() => void actor.stop());
    actor.start();
    // Long enough for the longest delay.
    for (let i = 0; i < 300; i += 1) await world.clock.advance(1000);
    const isOpen = () =>
      actor.getSnapshot().context.desk?.getSnapshot().context.store !== undefined;
    expect(isOpen()).toBe(false);
    isFull = false;
    return { world, tab, isOpen };
  };

  it('opens within 30 s of the disk being freed, in a hidden tab, too', async () => {
    const { world, isOpen } = await openHidden();
    await world.clock.advance(30_000);
    expect(isOpen()).toBe(true);
  });

  it('opens at once when the tab is shown', async () => {
    const { tab, isOpen } = await openHidden();
    tab.environment.set('shown');
    await settle();
    expect(isOpen()).toBe(true);
  });
});

describe('a store with kept messages that no key opens', () => {
  it('opens without an answer of the server', async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    world.device.unreadable.add('u_me');
    world.device.kept.set('u_me', []);
    const tab = world.openTab();
    const { promise: never } = Promise.withResolvers<never>();
    const sessionApi = { ...tab.sessionApi, getKeys: () => never };
    const actor = createActor(createWholeApp({ ...tab, sessionApi }), {
      clock: world.clock.timers,
    }).start();
    await settle();
    const desk = actor.getSnapshot().context.desk?.getSnapshot();
    expect(desk?.context.store).toBeDefined();
    actor.stop();
  });
});

describe('a tab that froze during the clean-up after a sign-out', () => {
  it("delays the same user's sign-in with a notice, and admits them once it resumes", async () => {
    const world = new MemoryWorld();
    world.server.session = sessionOf('u_me');
    world.device.pendingPurges.set('u_me', []);
    const thaw = world.locks.request('replay-desk-departure-u_me', {
      steal: false,
      onHeld: () => {},
      onLost: () => {},
    });
    const page = await openPage(world);
    await world.clock.advance(60_000);
    expect(page.deskError()).toMatchObject({ kind: 'timeout' });
    thaw();
    await world.clock.advance(60_000);
    expect(page.deskError()).toBeUndefined();
    expect(await page.write('accepted')).not.toBe('');
    expect(world.device.pendingPurges.size).toBe(0);
  });
});
