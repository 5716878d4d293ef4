import { selectLogout } from '#machines/sign-out/logout.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { signedIn } from './prepare-sign-out.ts';

describe('signing out with drafts after the messages were sent', () => {
  it('does not ask again about drafts that were named before the messages were sent', async () => {
    const { world, first, goOffline, goOnline } = await signedIn();
    goOffline();
    await first.write('one');
    world.database().drafting.add('tab-9');
    first.leave();
    await settle();
    expect(selectLogout(first.logout.getSnapshot()).drafts).toBe(true);
    first.logout.send({ type: 'send.chosen' });
    goOnline();
    await world.clock.advance(10_000);
    expect(world.engine.log).toHaveLength(1);
    expect([first.state(), first.uid()]).toEqual(['idle', undefined]);
  });

  it('asks again if another tab has written one meanwhile', async () => {
    const { world, first, goOffline, goOnline } = await signedIn();
    goOffline();
    await first.write('one');
    world.database().drafting.add('tab-8');
    first.leave();
    await settle();
    first.logout.send({ type: 'send.chosen' });
    world.database().drafting.add('tab-9');
    goOnline();
    await world.clock.advance(10_000);
    expect([first.state(), first.uid()]).toEqual(['asking', 'u_me']);
  });

  it('asks about a draft that was written while the messages were sent', async () => {
    const { world, first, goOffline, goOnline } = await signedIn();
    goOffline();
    await first.write('one');
    let isWriting = false;
    first.leave(() => isWriting);
    await settle();
    first.logout.send({ type: 'send.chosen' });
    isWriting = true;
    goOnline();
    await world.clock.advance(10_000);
    expect([first.state(), first.uid()]).toEqual(['asking', 'u_me']);
  });
});
