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
    // Here the stream starts from now: only catch-up delivers missed messages.
    world.engine.openStream = (cursor, onSignal) => {
      onSignal({ type: 'beat', cursor: cursor ?? world.engine.newest });
      return () => {};
    };
    await run();
    expect(stored()).toEqual(inLog().slice(1));
    expect(known()).toEqual([{ from: '00000000000000000', to: inLog().at(-1) }]);
    expect(known(GENERAL).at(-1)?.to).toBe(inLog(GENERAL).at(-1));
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

  it('goes on reporting so while catching up fails', async () => {
    const { world, run, learn, stored, inLog } = await prepareConnection();
    await learn();
    world.engine.write(TEAM, { text: 'missed' }, { silent: true });
    world.engine.fail('counts', { kind: 'timeout' }, 2);
    world.engine.openStream = (_cursor, onSignal) => {
      onSignal({ type: 'beat', cursor: world.engine.newest });
      return () => undefined;
    };
    const actor = await run();
    expect(stored()).toEqual([]);
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online', catchingUp: true });
    await world.clock.advance(20_000);
    expect(stored()).toEqual(inLog().slice(1));
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
  });

  it('after a long absence reads no more than this device keeps', async () => {
    const { world, run, learn, count, inLog, known, stored } = await prepareConnection();
    await learn();
    const missed = 4000;
    for (let n = 0; n < missed; n += 1) world.engine.write(TEAM, `m${n}`, { silent: true });
    world.engine.openStream = (cursor, onSignal) => {
      onSignal({ type: 'beat', cursor: cursor ?? world.engine.newest });
      return () => undefined;
    };
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

  it('does not use a live message as the watermark', async () => {
    const { world, run, learn, known, stored, inLog } = await prepareConnection();
    await learn();
    await run();
    const before = known();
    world.engine.write(TEAM, { text: 'lost on the way' }, { silent: true });
    world.engine.write(TEAM, { text: 'live' });
    await settle();
    expect(known()).toEqual(before);
    await world.clock.advance(20_000);
    world.engine.beat();
    await world.clock.advance(20_000);
    world.engine.beat();
    await world.clock.advance(20_000);
    expect(stored()).toEqual(inLog().slice(1));
  });

  it('runs every minute while visible, and not while hidden', async () => {
    const { world, tab, run, learn, count } = await prepareConnection();
    await learn();
    await run();
    const beatFor = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 10) {
        await world.clock.advance(10_000);
        world.engine.beat();
      }
    };
    await beatFor(180);
    expect(count('counts')).toBe(4);
    tab.environment.set('hidden');
    await beatFor(180);
    expect(count('counts')).toBe(4);
    tab.environment.set('shown');
    await settle();
    expect(count('counts')).toBe(5);
  });

  it('runs again after a burst that an engine may have truncated', async () => {
    const { world, run, learn, count } = await prepareConnection();
    await learn();
    await run();
    const burst = Array.from({ length: 100 }, (_, n) =>
      world.engine.write(TEAM, { text: `m${n}` }, { silent: true }),
    );
    world.engine.signal({ type: 'entries', entries: burst });
    await settle();
    expect(count('counts')).toBe(2);
  });

  it('runs again if the engine reports a possible gap', async () => {
    const { world, run, learn, count } = await prepareConnection();
    await learn();
    await run();
    world.engine.signal({ type: 'gap' });
    await settle();
    expect(count('counts')).toBe(2);
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
    world.engine.openStream = (_cursor, onSignal) => {
      onSignal({ type: 'beat', cursor: world.engine.newest });
      return () => {};
    };
    await run();
    expect(stored(GENERAL)).toEqual(inLog(GENERAL).slice(1));
  });
});
