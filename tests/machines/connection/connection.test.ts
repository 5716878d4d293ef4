import type { AppError } from '#domain/errors.ts';
import type { Fact } from '#domain/events.ts';
import type { LinkStatus } from '#domain/link-status.ts';
import { selectLink } from '#machines/connection/link.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { GENERAL, prepareConnection, TEAM } from './prepare-connection.ts';

describe('connection', () => {
  it("is online after the first beat and stores the stream's entries", async () => {
    const { world, run, stored, inLog } = await prepareConnection();
    const actor = await run();
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
    world.engine.write(TEAM, { text: 'live' });
    world.engine.write(TEAM, 42);
    await settle();
    expect(stored()).toEqual(inLog());
    expect(world.database().facts.map(({ type }) => type)).toEqual([
      'v1.ReadingBegan',
      'v1.MessageReceived',
      'v1.UnreadableReceived',
    ]);
    expect(actor.getSnapshot().context.cursor).toBe(world.engine.newest);
  });

  it('begins reading on a new device where the first one did, and applies later read positions', async () => {
    const { world, run } = await prepareConnection();
    const first = world.engine.write(TEAM, { text: 'read elsewhere' }).timetoken;
    world.engine.writeOwn({ v: 1, reads: { [TEAM]: first }, began: first });
    world.engine.write(GENERAL, { text: 'not read anywhere' });
    // A single failure must not hide anything.
    world.engine.fail('own', { kind: 'timeout' }, 1);
    await run();
    await world.clock.advance(10_000);
    const isAboutReading = ({ type }: Fact) => type === 'v1.RoomRead' || type === 'v1.ReadingBegan';
    expect(world.database().facts.filter(isAboutReading)).toEqual([
      { type: 'v1.RoomRead', room: TEAM, timetoken: first },
      { type: 'v1.ReadingBegan', timetoken: first },
    ]);
  });

  it.each([
    { kind: 'server', status: 503 },
    { kind: 'rejected', status: 404 },
  ] as const)('begins reading at its start if there is no user log: %j', async (error) => {
    const { world, run } = await prepareConnection();
    const newest = world.engine.write(TEAM, { text: 'one' }).timetoken;
    world.engine.fail('own', error);
    await run();
    world.engine.write(TEAM, { text: 'unread' });
    await world.clock.advance(120_000);
    expect(world.database().facts).toContainEqual({ type: 'v1.ReadingBegan', timetoken: newest });
  });

  it('begins reading where the first device did, even if the user log was unreadable at first', async () => {
    const { world, run } = await prepareConnection();
    const first = world.engine.write(TEAM, { text: 'read elsewhere' }).timetoken;
    world.engine.writeOwn({ v: 1, reads: {}, began: first });
    const newest = world.engine.write(GENERAL, { text: 'not read anywhere' }).timetoken;
    world.engine.fail('own', { kind: 'server', status: 503 });
    await run();
    await world.clock.advance(120_000);
    const listBeginnings = () =>
      world.database().facts.filter(({ type }) => type === 'v1.ReadingBegan');
    expect(listBeginnings()).toEqual([{ type: 'v1.ReadingBegan', timetoken: newest }]);
    world.engine.heal();
    await world.clock.advance(240_000);
    expect(listBeginnings()).toEqual([
      { type: 'v1.ReadingBegan', timetoken: newest },
      { type: 'v1.ReadingBegan', timetoken: first },
    ]);
  });

  it.each<[string, AppError]>([
    ['unreachable', { kind: 'unreachable' }],
    ['503', { kind: 'server', status: 503 }],
    ['403', { kind: 'forbidden' }],
    ['a portal page', { kind: 'malformed', detail: 'html' }],
  ])(
    'recovers by itself after minutes of %s, without a flood of requests',
    async (_what, error) => {
      const { world, run, count } = await prepareConnection();
      world.engine.fail('stream', error);
      const actor = await run();
      await world.clock.advance(600_000);
      expect(count('stream')).toBeLessThan(200);
      const link = selectLink(actor.getSnapshot());
      expect(link.kind).toBe('waiting');
      expect(link.kind === 'waiting' && link.retryAt > world.clock.now()).toBe(true);
      world.engine.heal();
      await world.clock.advance(10_000);
      expect(selectLink(actor.getSnapshot()).kind).toBe('online');
    },
  );

  it('keeps a stream on which a large event arrives slowly', async () => {
    const { world, run, count } = await prepareConnection();
    const actor = await run();
    for (let part = 0; part < 4; part += 1) {
      await world.clock.advance(20_000);
      world.engine.signal({ type: 'progress' });
    }
    expect(count('stream')).toBe(1);
    world.engine.write(TEAM, { text: 'large' });
    await settle();
    expect(actor.getSnapshot().context.cursor).toBe(world.engine.newest);
    await world.clock.advance(30_000);
    expect(count('stream')).toBe(2);
  });

  it.each([
    [20_000, 20_000],
    [300_000, 60_000],
  ])('waits as long as a 429 requests, %i ms, but a minute at most', async (asked, waited) => {
    const { world, run, count } = await prepareConnection();
    world.engine.fail('stream', { kind: 'limited', retryAfterMs: asked }, 1);
    const actor = await run();
    await world.clock.advance(waited - 100);
    expect(count('stream')).toBe(1);
    await world.clock.advance(200);
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
  });

  it('the end of a stable stream, as at the end of its token, is no outage', async () => {
    const { world, run, count } = await prepareConnection();
    const actor = await run();
    await world.clock.advance(6000);
    const seen: string[] = [];
    actor.subscribe((snapshot) => seen.push(selectLink(snapshot).kind));
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await settle();
    expect(selectLink(actor.getSnapshot()).kind).toBe('online');
    expect(new Set(seen)).toEqual(new Set(['connecting', 'online']));
    expect(count('stream')).toBe(2);
    // One that ends again before it was stable waits.
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await settle();
    expect(selectLink(actor.getSnapshot()).kind).toBe('waiting');
  });

  it('keeps the cause of the outage until the next answer', async () => {
    const { world, tab, run } = await prepareConnection();
    world.engine.fail('stream', { kind: 'server', status: 502, upstream: true });
    const actor = await run();
    expect(selectLink(actor.getSnapshot())).toMatchObject({ kind: 'waiting', cause: 'upstream' });
    const seen: LinkStatus[] = [];
    actor.subscribe((snapshot) => seen.push(selectLink(snapshot)));
    actor.send({ type: 'retry.requested' });
    await settle();
    expect(seen).toContainEqual({ kind: 'connecting', cause: 'upstream' });
    world.engine.fail('stream', { kind: 'unreachable' });
    await world.clock.advance(60_000);
    expect(selectLink(actor.getSnapshot())).toEqual({
      kind: 'waiting',
      retryAt: expect.any(Number) as number,
    });
    tab.environment.set('offline');
    tab.environment.set('online');
    expect(seen.at(-1)).toEqual({ kind: 'connecting' });
  });

  it('skips the wait on request, when the network returns and when the page is shown', async () => {
    const { world, tab, run, count } = await prepareConnection();
    world.engine.fail('stream', { kind: 'unreachable' });
    const actor = await run();
    await world.clock.advance(120_000);
    const before = count('stream');
    actor.send({ type: 'retry.requested' });
    await settle();
    tab.environment.set('online');
    await settle();
    tab.environment.set('shown');
    await settle();
    expect(count('stream')).toBe(before + 3);
  });

  it('gets a new token when the stream is refused', async () => {
    const { world, run } = await prepareConnection();
    world.engine.fail('stream', { kind: 'unauthenticated' }, 1);
    const actor = await run();
    expect(world.engine.renewals).toBe(1);
    await world.clock.advance(2000);
    expect(selectLink(actor.getSnapshot()).kind).toBe('online');
  });

  it('replaces only a silent stream', async () => {
    const { world, run, count } = await prepareConnection();
    await run();
    for (let beats = 0; beats < 10; beats += 1) {
      await world.clock.advance(10_000);
      world.engine.beat();
    }
    expect(count('stream')).toBe(1);
    await world.clock.advance(90_000);
    expect(count('stream')).toBeGreaterThan(1);
  });

  it('resumes from its cursor, so that an interruption loses nothing', async () => {
    const { world, run, stored, inLog } = await prepareConnection();
    await run();
    world.engine.write(TEAM, { text: 'before' });
    await settle();
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    for (let n = 0; n < 30; n += 1)
      world.engine.write(TEAM, { text: `missed ${n}` }, { silent: true });
    await world.clock.advance(5000);
    expect(stored()).toEqual(inLog());
  });

  it('does not move the cursor past entries that could not be stored', async () => {
    const { world, run, stored, inLog } = await prepareConnection();
    const actor = await run();
    const cursor = actor.getSnapshot().context.cursor;
    world.database().failure = { kind: 'quota' };
    world.engine.write(TEAM, { text: 'no room' });
    await settle();
    expect(actor.getSnapshot().context.cursor).toBe(cursor);
    world.database().failure = undefined;
    world.database().changed();
    await world.clock.advance(5000);
    expect(stored()).toEqual(inLog());
  });

  it('stops when another tab leads', async () => {
    const { world, store, run, stored } = await prepareConnection();
    const actor = await run();
    await store.takeFence('tab-2', 1);
    world.engine.write(TEAM, { text: 'not mine' });
    await settle();
    expect(actor.getSnapshot().status).toBe('done');
    expect(stored()).toEqual([]);
  });
});
