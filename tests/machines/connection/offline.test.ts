import { selectLink } from '#machines/connection/link.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { expect, it } from 'vitest';

import { prepareConnection } from './prepare-connection.ts';

it('is offline when the browser reports it, probes rarely and when shown, and resumes when the network is back', async () => {
  const { world, tab, run, count } = await prepareConnection();
  tab.environment.online = false;
  world.engine.fail('stream', { kind: 'unreachable' });
  const actor = await run();
  const seen = new Set<string>();
  actor.subscribe((snapshot) => seen.add(selectLink(snapshot).kind));
  await world.clock.advance(600_000);
  const probes = count('stream');
  expect(probes).toBeLessThan(60);
  tab.environment.set('shown');
  await settle();
  expect(count('stream')).toBe(probes + 1);
  expect([...seen]).toEqual(['offline']);
  world.engine.heal();
  tab.environment.set('online');
  await settle();
  expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
  tab.environment.set('offline');
  expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'offline' });
  expect(world.engine.openStreams).toBe(0);
});

it('reaches a server on this device even if the browser reports offline', async () => {
  const { world, tab, run } = await prepareConnection();
  tab.environment.online = false;
  const actor = await run();
  expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'offline' });
  await world.clock.advance(2000);
  expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
});

it('connects when the network returns while a probe has no answer yet', async () => {
  const { world, tab, run } = await prepareConnection();
  tab.environment.online = false;
  const openStream = tab.realtime.openStream.bind(tab.realtime);
  let isSilent = true;
  tab.realtime.openStream = (...given) => (isSilent ? () => undefined : openStream(...given));
  const actor = await run();
  await world.clock.advance(2000);
  expect(actor.getSnapshot().matches({ linked: 'probing' })).toBe(true);
  isSilent = false;
  tab.environment.set('online');
  await settle();
  expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
});
