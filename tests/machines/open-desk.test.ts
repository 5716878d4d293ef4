import { provideApp } from '#machines/provide-app.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld, sessionOf } from '#tests/support/memory-ports.ts';
import { createActor } from 'xstate';
import { expect, it } from 'vitest';

it('opens nothing for a user who left before it came to that', async () => {
  const world = new MemoryWorld();
  world.server.session = sessionOf('u_me');
  const tab = world.openTab();
  const { promise: late, resolve: finish } = Promise.withResolvers<void>();
  const opened: string[] = [];
  const actor = createActor(
    provideApp({
      ...tab,
      openStore: (uid) => {
        opened.push(uid);
        return tab.openStore(uid);
      },
      device: {
        ...tab.device,
        findReturning: async (uid) => {
          if (uid === 'u_me') await late;
          return tab.device.findReturning(uid);
        },
      },
    }),
    { clock: world.clock.timers, input: { pollSeconds: 0 } },
  ).start();
  await settle();
  world.server.session = sessionOf('u_other');
  tab.surroundings.set('shown');
  await settle();
  finish();
  await settle();
  actor.stop();
  expect(opened).toEqual(['u_other']);
});
