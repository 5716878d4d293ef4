import { selectSession } from '#machines/session/session.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { openPage, signedIn } from './prepare-sign-out.ts';

type Page = Awaited<ReturnType<typeof openPage>>;

const view = ({ session }: Page) => selectSession(session.getSnapshot());

describe('other tabs during a sign-out', () => {
  it('treat it as an explicit sign-out, as this one does', async () => {
    const { world, first } = await signedIn();
    const second = await openPage(world);
    first.leave();
    await settle();
    expect(view(first)).toMatchObject({ status: 'unauthenticated', signedOut: true });
    expect(view(second)).toMatchObject({ status: 'unauthenticated', signedOut: true });
  });

  it('follow without a network', async () => {
    const { world, first, goOffline } = await signedIn();
    const second = await openPage(world);
    goOffline();
    first.leave();
    await settle();
    expect(view(second).signedOut).toBe(true);
  });

  it('close at once, however long the server takes, and only one notifies it', async () => {
    const { world, first } = await signedIn();
    const second = await openPage(world);
    world.server.silent = true;
    world.server.calls.length = 0;
    first.leave();
    await settle();
    expect(view(second)).toMatchObject({ status: 'unauthenticated', signedOut: true });
    expect(world.server.calls.filter((call) => call === 'signOut')).toHaveLength(1);
  });

  it('follow when they return after the server was notified, and then stop', async () => {
    const { world, first } = await signedIn();
    const second = await openPage(world);
    world.server.tabs.clear();
    first.leave();
    await settle();
    second.tab.environment.set('shown');
    await settle();
    expect(view(second).signedOut).toBe(true);
    await world.clock.advance(30_000);
    const calls = world.server.calls.length;
    await world.clock.advance(600_000);
    expect(world.server.calls.length).toBe(calls);
  });

  it('follow even if the request that first noticed it was cancelled', async () => {
    const { world, first, goOffline } = await signedIn();
    const second = await openPage(world);
    world.server.tabs.clear();
    first.leave();
    await settle();
    goOffline();
    const answers: (() => void)[] = [];
    const { sessionApi } = second.tab;
    const getSession = sessionApi.getSession.bind(sessionApi);
    sessionApi.getSession = async (cancel) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return getSession(cancel);
    };
    second.session.send({ type: 'session.revalidate' });
    await settle();
    second.session.send({ type: 'session.changed' });
    await settle();
    for (const answer of answers) {
      answer();
      await settle();
    }
    expect(answers).toHaveLength(2);
    expect(view(second)).toMatchObject({ status: 'unauthenticated', signedOut: true });
  });

  it('do not treat a session that ended on the server as a sign-out', async () => {
    const { world, first } = await signedIn();
    world.server.session = undefined;
    first.tab.environment.set('shown');
    await settle();
    expect(view(first)).toMatchObject({ status: 'unauthenticated', signedOut: false });
  });
});
