import { selectLogout } from '#machines/sign-out/logout.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { signedIn } from './prepare-sign-out.ts';

/** Signs out offline with a message, which is sent first; `meanwhile` runs before that. */
const sendFirst = async (
  { world, first, goOffline, goOnline }: Awaited<ReturnType<typeof signedIn>>,
  meanwhile: () => void,
  hasDrafts?: () => boolean,
) => {
  goOffline();
  await first.write('one');
  first.leave(hasDrafts);
  await settle();
  const { drafts } = selectLogout(first.logout.getSnapshot());
  first.logout.send({ type: 'send.chosen' });
  meanwhile();
  goOnline();
  await world.clock.advance(10_000);
  expect(world.engine.log).toHaveLength(1);
  return { drafts, state: first.state(), uid: first.uid() };
};

describe('signing out with drafts after the messages were sent', () => {
  it('does not ask again about drafts that were named before', async () => {
    const page = await signedIn();
    page.world.database().drafting.add('tab-9');
    const found = await sendFirst(page, () => undefined);
    expect(found).toEqual({ drafts: true, state: 'idle', uid: undefined });
  });

  it('asks again if another tab has written one meanwhile', async () => {
    const page = await signedIn();
    const { drafting } = page.world.database();
    drafting.add('tab-8');
    const found = await sendFirst(page, () => void drafting.add('tab-9'));
    expect(found).toEqual({ drafts: true, state: 'asking', uid: 'u_me' });
  });

  it('asks if this tab has written one meanwhile', async () => {
    let isWriting = false;
    const begin = (): void => void (isWriting = true);
    const found = await sendFirst(await signedIn(), begin, () => isWriting);
    expect(found).toEqual({ drafts: false, state: 'asking', uid: 'u_me' });
  });
});
