import { SIGN_OUT_WAIT_MS, SIGN_OUT_WAITS_MAX } from '#machines/kit/limits.ts';
import { selectLogout } from '#machines/sign-out/logout.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { type MemoryWorld, sessionOf } from '#tests/support/memory-ports/memory-ports.ts';
import { describe, expect, it } from 'vitest';

import { openPage, signedIn } from './prepare-sign-out.ts';

const sent = (world: MemoryWorld) =>
  world.engine.log.map(({ message }) => (message as { text: string }).text);

describe('signing out with unsent messages', () => {
  const withUnsent = async () => {
    const all = await signedIn();
    all.goOffline();
    await all.first.write('one');
    await all.first.write('two');
    await settle();
    all.first.leave();
    await settle();
    return all;
  };

  it('asks the user, and does nothing when cancelled', async () => {
    const { world, first } = await withUnsent();
    expect(first.state()).toBe('asking');
    first.logout.send({ type: 'logout.cancelled' });
    expect([first.state(), first.uid()]).toEqual(['idle', 'u_me']);
    expect(world.database().items).toHaveLength(2);
  });

  it('also asks about drafts', async () => {
    const { first } = await signedIn();
    first.leave(() => true);
    await settle();
    expect(first.state()).toBe('asking');
  });

  it('can keep a message that is accepted while it asks about drafts', async () => {
    const { world, first, goOffline } = await signedIn();
    goOffline();
    first.leave(() => true);
    await settle();
    await first.write('one');
    expect(selectLogout(first.logout.getSnapshot()).keepable).toBe(true);
    first.logout.send({ type: 'keep.chosen' });
    await settle();
    expect(first.uid()).toBeUndefined();
    expect(world.device.kept.get('u_me')).toHaveLength(1);
  });

  it('also asks about drafts in another tab', async () => {
    const { world, first } = await signedIn();
    world.database().drafting.add('tab-9');
    first.leave();
    await settle();
    expect(first.state()).toBe('asking');
    expect(selectLogout(first.logout.getSnapshot()).drafts).toBe(true);
  });

  it('sends first, then signs out by itself', async () => {
    const { world, first, goOnline } = await withUnsent();
    first.logout.send({ type: 'send.chosen' });
    await settle();
    expect([first.state(), first.uid()]).toEqual(['sending', 'u_me']);
    goOnline();
    await world.clock.advance(10_000);
    expect(sent(world)).toEqual(['one', 'two']);
    expect(first.uid()).toBeUndefined();
    expect(world.databases.size).toBe(0);
  });

  it('asks again when one of them is refused meanwhile', async () => {
    const { world, first, goOnline } = await withUnsent();
    first.logout.send({ type: 'send.chosen' });
    goOnline();
    world.engine.fail('publish', { kind: 'rejected', status: 400 }, 1);
    await world.clock.advance(10_000);
    expect([first.state(), first.uid()]).toEqual(['asking', 'u_me']);
    expect(world.database().items).toMatchObject([{ text: 'one', state: 'failed' }]);
  });

  it('keeps them for the next sign-in: the same ids, in order, once, under the same name', async () => {
    const { world, first, goOnline } = await withUnsent();
    const ids = world.database().items.map(({ id }) => id);
    first.logout.send({ type: 'keep.chosen' });
    await settle();
    expect(world.databases.size).toBe(0);
    goOnline();
    await world.clock.advance(60_000);
    world.server.session = sessionOf('u_other');
    const other = await openPage(world);
    await world.clock.advance(60_000);
    expect(other.uid()).toBe('u_other');
    expect(sent(world)).toEqual([]);
    other.stop();
    world.server.session = sessionOf('u_me');
    await openPage(world);
    await world.clock.advance(10_000);
    expect(sent(world)).toEqual(['one', 'two']);
    expect(world.engine.log.map(({ message }) => (message as { id: string }).id)).toEqual(ids);
    expect(world.device.kept.size).toBe(0);
  });

  it('restores a refused message as refused', async () => {
    const { world, first, goOffline } = await signedIn();
    world.engine.fail('publish', { kind: 'rejected', status: 400, text: 'No such room' }, 1);
    await first.write('refused');
    await settle();
    goOffline();
    first.leave();
    await settle();
    first.logout.send({ type: 'keep.chosen' });
    await settle();
    first.stop();
    world.server.failure = undefined;
    await openPage(world);
    world.server.session = sessionOf('u_me');
    await openPage(world);
    expect(world.database().items).toMatchObject([{ state: 'failed', reason: 'No such room' }]);
  });

  it('discards the messages it asked about, and keeps those that another tab accepted since', async () => {
    const { world, first } = await withUnsent();
    const second = await openPage(world);
    const { device } = first.tab;
    const leave = device.signOut.bind(device);
    device.signOut = async (purge) => {
      await second.write('three');
      return leave(purge);
    };
    first.logout.send({ type: 'discard.chosen' });
    await settle();
    expect(world.databases.size).toBe(0);
    expect(world.device.kept.get('u_me')).toMatchObject([{ text: 'three' }]);
  });
});

/** After this time the changes are shared, or the user is asked. */
const SHARING_MS = SIGN_OUT_WAIT_MS * SIGN_OUT_WAITS_MAX;

describe('signing out with changes that no other device knows', () => {
  it('asks about them, and does not lose them when cancelled', async () => {
    const { world, first, goOffline, goOnline } = await signedIn();
    goOffline();
    await first.markDone();
    first.leave();
    await world.clock.advance(SHARING_MS);
    expect(selectLogout(first.logout.getSnapshot())).toMatchObject({
      state: 'asking',
      marks: true,
      drafts: false,
    });
    first.logout.send({ type: 'logout.cancelled' });
    goOnline();
    await world.clock.advance(60_000);
    expect(world.engine.staffLog).toHaveLength(1);
    first.leave();
    await settle();
    expect([first.state(), first.uid()]).toEqual(['idle', undefined]);
  });

  it('does not ask if they were made just before and are shared at once', async () => {
    const { world, first } = await signedIn();
    await first.markDone();
    first.leave();
    await world.clock.advance(SHARING_MS);
    expect(world.engine.staffLog).toHaveLength(1);
    expect([first.state(), first.uid()]).toEqual(['idle', undefined]);
  });

  it('asks about a draft that was written while they were shared', async () => {
    const { world, first } = await signedIn();
    let isWriting = false;
    await first.markDone();
    first.leave(() => isWriting);
    isWriting = true;
    await world.clock.advance(SHARING_MS);
    expect(selectLogout(first.logout.getSnapshot())).toMatchObject({
      state: 'asking',
      marks: false,
      drafts: true,
    });
  });

  it('asks again if the messages were sent first, but the changes were not shared', async () => {
    const { world, first, goOffline } = await signedIn();
    goOffline();
    await first.write('one');
    await first.markDone();
    first.leave();
    await world.clock.advance(SHARING_MS);
    first.logout.send({ type: 'send.chosen' });
    world.engine.fail('publish', { kind: 'unreachable' }, 0);
    await world.clock.advance(60_000);
    expect(sent(world)).toEqual(['one']);
    expect([first.state(), first.uid()]).toEqual(['asking', 'u_me']);
  });

  it('can be cancelled while they are shared', async () => {
    const { world, first, goOffline } = await signedIn();
    goOffline();
    await first.markDone();
    first.leave();
    await world.clock.advance(SIGN_OUT_WAIT_MS);
    expect(first.state()).toBe('sharing');
    first.logout.send({ type: 'logout.cancelled' });
    await world.clock.advance(SHARING_MS);
    expect([first.state(), first.uid()]).toEqual(['idle', 'u_me']);
  });

  it('asks at once without a network', async () => {
    const { first, goOffline } = await signedIn();
    goOffline();
    first.tab.environment.online = false;
    await first.markDone();
    first.leave();
    await settle();
    expect(first.state()).toBe('asking');
  });

  it('does not ask about read positions', async () => {
    const { world, first, goOffline } = await signedIn();
    goOffline();
    await first.read();
    first.leave();
    await settle();
    expect(first.uid()).toBeUndefined();
    expect(world.databases.size).toBe(0);
  });
});
