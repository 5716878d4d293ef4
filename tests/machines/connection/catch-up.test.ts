import { CATCH_UP_PAGE_SIZE, RETENTION_KEPT_MAX } from '#domain/limits.ts';
import type { LinkStatus } from '#domain/link-status.ts';
import { selectLink } from '#machines/connection/link.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { GENERAL, prepareConnection, TEAM } from './prepare-connection.ts';

describe('catch-up', () => {
  it('reads all missed messages, however long the gap, and moves the watermark', async () => {
    const { world, run, learn, known, stored, inLog } = await prepareConnection();
    await learn();
    await learn(GENERAL);
    for (let n = 0; n < 350; n += 1) world.engine.write(TEAM, { text: `m${n}` }, { silent: true });
    world.engine.write(GENERAL, { text: 'short' }, { silent: true });
    world.engine.forget();
    await run();
    expect(stored()).toEqual(inLog().slice(1));
    expect(known()).toEqual([{ from: '00000000000000000', to: world.engine.newest }]);
    expect(known(GENERAL).at(-1)?.to).toBe(world.engine.newest);
  });

  it('reports that it is catching up until missed messages are stored', async () => {
    const { world, run, learn, stored, inLog } = await prepareConnection();
    await learn();
    world.engine.write(TEAM, { text: 'missed' }, { silent: true });
    const actor = await run();
    const seen: { readonly link: LinkStatus; readonly count: number }[] = [];
    const look = () => {
      seen.push({ link: selectLink(actor.getSnapshot()), count: stored().length });
    };
    actor.subscribe(look);
    actor.send({ type: 'network.lost' });
    world.engine.write(TEAM, { text: 'missed, too' }, { silent: true });
    actor.send({ type: 'network.returned' });
    await settle();
    const online = seen.filter(({ link }) => link.kind === 'online');
    expect(online[0]).toEqual({ link: { kind: 'online', catchingUp: true }, count: 1 });
    const caughtUp = online.filter(({ link }) => !('catchingUp' in link));
    expect(caughtUp.length).toBeGreaterThan(0);
    expect(new Set(caughtUp.map(({ count }) => count))).toEqual(new Set([inLog().length - 1]));
  });

  it('still reports this while its requests fail', async () => {
    const { world, run, learn, stored, inLog } = await prepareConnection();
    await learn();
    world.engine.write(TEAM, { text: 'missed' }, { silent: true });
    world.engine.fail('counts', { kind: 'timeout' }, 2);
    world.engine.forget();
    const actor = await run();
    expect(stored()).toEqual([]);
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online', catchingUp: true });
    await world.clock.advance(20_000);
    expect(stored()).toEqual(inLog().slice(1));
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
  });

  it('reads no more than this device keeps, even after a long absence', async () => {
    const { world, run, learn, count, inLog, known, stored } = await prepareConnection();
    await learn();
    const missed = 4000;
    for (let n = 0; n < missed; n += 1) world.engine.write(TEAM, `m${n}`, { silent: true });
    world.engine.forget();
    await run();
    expect(stored()).toEqual(inLog().slice(-RETENTION_KEPT_MAX));
    expect(count('history')).toBe(RETENTION_KEPT_MAX / CATCH_UP_PAGE_SIZE);
    expect(known().at(-1)?.to).toBe(inLog().at(-1));
  });

  it('fills a gap that a crash left between ranges', async () => {
    const { world, store, run, known, stored, inLog } = await prepareConnection();
    for (let n = 0; n < 300; n += 1) world.engine.write(TEAM, { text: `m${n}` }, { silent: true });
    const log = inLog();
    const page = (from: number, to: number) =>
      ({
        type: 'v1.HistoryPageLoaded',
        room: TEAM,
        from: log[from]!,
        to: log[to]!,
        reachedStart: from === 0,
      }) as const;
    await store.append([page(0, 10), page(250, 299)]);
    await run();
    expect(known()).toEqual([{ from: '00000000000000000', to: log[299] }]);
    expect(stored()).toEqual(log.slice(11, 250));
  });

  it('counts once for an absence, and never while nothing may be missing', async () => {
    const { world, tab, run, learn, count } = await prepareConnection();
    await learn();
    world.engine.forget();
    world.engine.write(TEAM, { text: 'missed' }, { silent: true });
    await run();
    expect([count('counts'), count('history')]).toEqual([1, 1]);
    for (let passed = 0; passed < 180; passed += 10) {
      await world.clock.advance(10_000);
      world.engine.beat();
    }
    tab.environment.set('shown');
    await settle();
    expect([count('counts'), count('history')]).toEqual([1, 1]);
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    world.engine.write(GENERAL, { text: 'elsewhere' }, { silent: true });
    await world.clock.advance(5000);
    expect([count('counts'), count('history')]).toEqual([2, 1]);
  });

  it('does not read again the messages that a complete stream delivers after an absence', async () => {
    const { world, run, learn, count, stored, inLog } = await prepareConnection();
    await learn();
    await run();
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    for (let n = 0; n < 1000; n += 1) world.engine.write(TEAM, `m${n}`, { silent: true });
    await world.clock.advance(5000);
    expect(stored()).toEqual(inLog().slice(1));
    expect([count('counts'), count('history')]).toEqual([0, 0]);
  });

  it('does not read again a burst of a complete engine', async () => {
    const { world, run, learn, count, stored, inLog } = await prepareConnection();
    await learn();
    await run();
    for (let pages = 0; pages < 10; pages += 1) {
      const entries = Array.from({ length: 100 }, (_, n) =>
        world.engine.write(TEAM, `m${n}`, { silent: true }),
      );
      world.engine.signal({ type: 'entries', entries });
    }
    await settle();
    expect(stored()).toEqual(inLog().slice(1));
    expect([count('counts'), count('history')]).toEqual([0, 0]);
  });

  it('reads the messages that a batch of 100 may have replaced on another engine', async () => {
    const { world, run, learn, count, stored, inLog } = await prepareConnection();
    world.engine.complete = false;
    await learn();
    await run();
    const burst = Array.from({ length: 250 }, (_, n) =>
      world.engine.write(TEAM, { text: `m${n}` }, { silent: true }),
    );
    world.engine.signal({ type: 'entries', entries: burst.slice(-100) });
    await settle();
    expect(count('counts')).toBe(1);
    expect(stored()).toEqual(inLog());
  });

  it('reads entries of a complete engine that were malformed in transit', async () => {
    const { world, run, learn, count, stored, inLog } = await prepareConnection();
    await learn();
    await run();
    world.engine.write(TEAM, { text: 'malformed on the way' }, { silent: true });
    const next = world.engine.write(TEAM, { text: 'next' }, { silent: true });
    world.engine.signal({ type: 'opened', after: next.timetoken });
    world.engine.signal({ type: 'entries', entries: [next] });
    await settle();
    expect(stored()).toEqual(inLog().slice(1));
    expect([count('counts'), count('history')]).toEqual([1, 1]);
  });

  it('reads the messages that an engine reports as possibly missing', async () => {
    const { world, run, learn, count, stored, inLog } = await prepareConnection();
    world.engine.complete = false;
    await learn();
    await run();
    world.engine.write(TEAM, { text: 'lost on the way' }, { silent: true });
    world.engine.signal({ type: 'opened', after: world.engine.newest });
    await settle();
    expect(count('counts')).toBe(1);
    expect(stored()).toEqual(inLog());
  });

  it('counts and reads the messages that a never opened room missed in an absence', async () => {
    const { world, run, count, stored } = await prepareConnection();
    world.engine.forget();
    world.engine.rooms = [TEAM, GENERAL];
    world.engine.write(TEAM, { text: 'before' }, { silent: true });
    await run();
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    const missed = world.engine.write(TEAM, { text: 'missed' }, { silent: true });
    await world.clock.advance(5000);
    expect(stored()).toEqual([missed.timetoken]);
    expect([count('counts'), count('history')]).toEqual([1, 1]);
    const segments = world.database().findAllCoverage().segments;
    expect(segments).toHaveLength(1);
  });

  it('retries at once with a new token, and only once', async () => {
    const { world, run, learn, count, stored, inLog } = await prepareConnection();
    await learn();
    world.engine.forget();
    world.engine.write(TEAM, { text: 'missed' }, { silent: true });
    world.engine.fail('counts', { kind: 'unauthenticated' }, 1);
    await run();
    expect(count('counts')).toBe(2);
    expect(stored()).toEqual(inLog().slice(1));
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    world.engine.write(TEAM, { text: 'missed again' }, { silent: true });
    world.engine.fail('counts', { kind: 'unauthenticated' });
    for (let passed = 0; passed < 60; passed += 10) {
      await world.clock.advance(10_000);
      world.engine.beat();
    }
    expect(count('counts')).toBeGreaterThan(3);
    expect(count('counts')).toBeLessThan(15);
  });

  it('retries after a failure', async () => {
    const { world, run, learn, stored, inLog } = await prepareConnection();
    await learn();
    await run();
    world.engine.fail('history', { kind: 'server', status: 500 }, 3);
    world.engine.write(TEAM, { text: 'missed' }, { silent: true });
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    for (let n = 0; n < 5; n += 1) {
      await world.clock.advance(10_000);
      world.engine.beat();
    }
    expect(stored()).toEqual(inLog().slice(1));
  });

  it('is not blocked by one broken room', async () => {
    const { world, run, learn, stored, inLog } = await prepareConnection();
    await learn();
    await learn(GENERAL);
    world.engine.write(TEAM, { text: 'broken' }, { silent: true });
    world.engine.write(GENERAL, { text: 'fine' }, { silent: true });
    const { readHistory } = world.engine;
    world.engine.readHistory = (query, cancel) =>
      query.room === TEAM
        ? Promise.resolve({ ok: false, error: { kind: 'malformed', detail: 'page' } })
        : readHistory(query, cancel);
    world.engine.forget();
    await run();
    expect(stored(GENERAL)).toEqual(inLog(GENERAL).slice(1));
  });
});
