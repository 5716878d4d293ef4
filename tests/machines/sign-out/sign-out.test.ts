import { STORAGE_LIMIT_MS } from '#machines/kit/limits.ts';
import { selectLogout } from '#machines/sign-out/logout.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { openPage, signedIn } from './prepare-sign-out.ts';

describe('signing out', () => {
  it('ends the session here, in the other tabs and on the server, and deletes the data', async () => {
    const { world, first } = await signedIn();
    const second = await openPage(world);
    first.leave();
    await settle();
    expect([first.uid(), second.uid()]).toEqual([undefined, undefined]);
    expect(world.device.session).toBeUndefined();
    expect(world.databases.size).toBe(0);
    expect(world.server.session).toBeUndefined();
    expect(world.device.pending).toBe(false);
    expect(world.engine.openStreams).toBe(0);
  });

  it('works without a network: this device closes at once, the server is notified later', async () => {
    const { world, first, goOffline, goOnline } = await signedIn();
    const second = await openPage(world);
    goOffline();
    first.leave();
    await settle();
    expect([first.uid(), second.uid()]).toEqual([undefined, undefined]);
    expect(world.databases.size).toBe(0);
    expect(world.device.pending).toBe(true);
    goOnline();
    await world.clock.advance(60_000);
    expect(world.server.session).toBeUndefined();
    expect(world.device.pending).toBe(false);
    expect([first.uid(), second.uid()]).toEqual([undefined, undefined]);
  });

  it('stays in effect after a reload, with and without a network, even with a valid cookie', async () => {
    const { world, first, goOffline, goOnline } = await signedIn();
    goOffline();
    first.leave();
    await settle();
    first.stop();
    const reloaded = await openPage(world);
    expect(reloaded.uid()).toBeUndefined();
    goOnline();
    const another = await openPage(world);
    expect(another.uid()).toBeUndefined();
    expect(world.server.session).toBeUndefined();
  });

  it('is not undone by a pending answer', async () => {
    const { world, first } = await signedIn();
    const second = await openPage(world);
    const answers: (() => void)[] = [];
    const { sessionApi } = second.tab;
    const getSession = sessionApi.getSession.bind(sessionApi);
    sessionApi.getSession = async (cancel) => {
      const answer = await getSession(cancel);
      await new Promise<void>((resolve) => answers.push(resolve));
      return answer;
    };
    second.session.send({ type: 'session.revalidate' });
    await settle();
    world.server.tabs.clear();
    first.leave();
    await settle();
    for (const answer of answers) answer();
    await settle();
    expect(second.uid()).toBeUndefined();
    expect(world.device.session).toBeUndefined();
  });

  it('reaches a tab that missed it at its next request, even without a network', async () => {
    const { world, first, goOffline } = await signedIn();
    const second = await openPage(world);
    world.server.tabs.clear();
    first.leave();
    await settle();
    goOffline();
    expect(second.uid()).toBe('u_me');
    second.tab.environment.set('shown');
    await settle();
    expect(second.uid()).toBeUndefined();
  });

  it('reports that this device cannot store it, and leaves nothing half done', async () => {
    const { world, first } = await signedIn();
    world.device.failure = { kind: 'quota' };
    first.leave();
    await settle();
    expect(selectLogout(first.logout.getSnapshot())).toMatchObject({
      state: 'failed',
      error: { kind: 'quota' },
    });
    expect(first.uid()).toBe('u_me');
    world.device.failure = undefined;
    first.leave();
    await settle();
    expect(first.uid()).toBeUndefined();
  });

  it('also ends the session here if it is stored only after it was reported as failed', async () => {
    const { world, first } = await signedIn();
    const { device } = first.tab;
    const signOut = device.signOut.bind(device);
    const held = Promise.withResolvers<void>();
    device.signOut = async (purge) => {
      await held.promise;
      return signOut(purge);
    };
    first.leave();
    await world.clock.advance(STORAGE_LIMIT_MS);
    expect([first.state(), first.uid()]).toEqual(['failed', 'u_me']);
    held.resolve();
    await settle();
    expect([first.state(), first.uid()]).toEqual(['idle', undefined]);
    expect(world.server.session).toBeUndefined();
    expect(world.databases.size).toBe(0);
  });

  it('finishes an interrupted clean-up at the next start', async () => {
    const { world, first } = await signedIn();
    first.stop();
    await world.device.store.signOut({ uid: 'u_me', discarded: [] });
    await openPage(world);
    expect(world.databases.size).toBe(0);
    expect(world.device.pendingPurges.size).toBe(0);
    expect(world.server.session).toBeUndefined();
  });

  it('continues the clean-up until nothing is left', async () => {
    const { world, first } = await signedIn();
    first.stop();
    await world.device.store.signOut({ uid: 'u_me', discarded: [] });
    world.server.session = undefined;
    world.device.failure = { kind: 'storage', detail: 'Another tab blocks the storage.' };
    await openPage(world);
    expect(world.databases.size).toBe(1);
    world.device.failure = undefined;
    await world.clock.advance(30_000);
    expect(world.databases.size).toBe(0);
  });

  it('continues as soon in a hidden tab', async () => {
    const { world, first } = await signedIn();
    first.stop();
    await world.device.store.signOut({ uid: 'u_me', discarded: [] });
    world.server.session = undefined;
    world.device.failure = { kind: 'quota' };
    const { tab } = await openPage(world);
    tab.environment.set('hidden');
    // Long enough for the longest delay.
    for (let i = 0; i < 300; i += 1) await world.clock.advance(1000);
    expect(world.databases.size).toBe(1);
    world.device.failure = undefined;
    await world.clock.advance(30_000);
    expect(world.databases.size).toBe(0);
  });
});
