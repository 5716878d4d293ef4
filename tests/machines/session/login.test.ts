import { createLoginMachine, selectLogin } from '#machines/session/login.machine.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports/memory-ports.ts';
import { createActor } from 'xstate';
import { describe, expect, it } from 'vitest';

const FORM = {
  type: 'login.submitted',
  email: 'producer@example.com',
  password: 'producer',
  callbackUrl: '/chat',
} as const;

const start = () => {
  const world = new MemoryWorld();
  const actor = createActor(createLoginMachine(world.openTab())).start();
  return { world, actor, view: () => selectLogin(actor.getSnapshot()) };
};

describe('login', () => {
  it('is idle, then loading, then done with the address to go to', async () => {
    const { world, actor, view } = start();
    let told = 0;
    world.server.tabs.add(() => {
      told += 1;
    });
    expect(view().state).toBe('idle');
    actor.send(FORM);
    expect(view().state).toBe('loading');
    await settle();
    expect(view()).toEqual({
      state: 'done',
      error: undefined,
      url: '/chat',
      callbackUrl: '/chat',
    });
    expect(told).toBe(1);
  });

  it('shows why it was refused until the next attempt', async () => {
    const { world, actor, view } = start();
    world.server.failure = { kind: 'credentials' };
    actor.send(FORM);
    await settle();
    expect(view()).toMatchObject({ state: 'error', error: { kind: 'credentials' } });
    actor.send(FORM);
    expect(view()).toMatchObject({ state: 'loading', error: undefined });
  });

  it('does not store the password', async () => {
    const { world, actor } = start();
    world.server.failure = { kind: 'credentials' };
    actor.send(FORM);
    await settle();
    expect(JSON.stringify(actor.getSnapshot().context)).not.toContain('producer');
  });
});
