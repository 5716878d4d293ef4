import type { AppError } from '#domain/errors.ts';
import { toRoomKey } from '#domain/rooms.ts';
import { selectLink } from '#machines/connection.machine.ts';
import { provideConnection } from '#machines/provide-connection.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { MemoryWorld } from '#tests/support/memory-ports.ts';
import { openMemoryStore } from '#tests/support/memory-ports-store.ts';
import { createActor } from 'xstate';
import { afterEach, describe, expect, it } from 'vitest';

const TEAM = toRoomKey('c_001', 'team');
const GENERAL = toRoomKey('c_001', 'general');

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

const prepare = async () => {
  const world = new MemoryWorld();
  const tab = world.openTab();
  const store = openMemoryStore(world.database());
  const taken = await store.takeFence('tab-1', 0);
  const run = async () => {
    const actor = createActor(provideConnection(tab), {
      clock: world.clock.timers,
      input: { store, uid: 'u_me', fence: taken.ok ? taken.value : 0 },
    }).start();
    stops.push(() => actor.stop());
    await settle();
    return actor;
  };
  const known = (room = TEAM) => world.database().coverage.get(room)?.ranges ?? [];
  const stored = (room = TEAM) => [...(world.database().positions.get(room) ?? [])].toSorted();
  const inLog = (room = TEAM) =>
    world.engine.log.filter((entry) => entry.room === room).map(({ timetoken }) => timetoken);
  const count = (operation: string) =>
    world.engine.calls.filter((call) => call.operation === operation).length;
  /** Reads the newest page, so that the room is known up to now. */
  const learn = async (room = TEAM) => {
    const newest = inLog(room).at(-1) ?? world.engine.write(room, { text: 'first' }).timetoken;
    await store.append([
      { type: 'v1.HistoryPageLoaded', room, from: newest, to: newest, reachedStart: true },
    ]);
  };
  return { world, tab, store, run, known, stored, inLog, count, learn };
};

describe('connection', () => {
  it('is online after the first sign of life and stores what the stream brings', async () => {
    const { world, run, stored, inLog } = await prepare();
    const actor = await run();
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
    world.engine.write(TEAM, { text: 'live' });
    world.engine.write(TEAM, 42);
    await settle();
    expect(stored()).toEqual(inLog());
    expect(world.database().facts.map(({ type }) => type)).toEqual([
      'v1.MessageReceived',
      'v1.UnreadableReceived',
    ]);
    expect(actor.getSnapshot().context.cursor).toBe(world.engine.newest);
  });

  it('waits while the browser is offline and goes on when it is back', async () => {
    const { world, tab, run, count } = await prepare();
    tab.surroundings.online = false;
    const actor = await run();
    await world.clock.advance(600_000);
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'offline' });
    expect(count('stream')).toBe(0);
    tab.surroundings.set('online');
    await settle();
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
    tab.surroundings.set('offline');
    expect(world.engine.openStreams).toBe(0);
  });

  it.each<[string, AppError]>([
    ['unreachable', { kind: 'unreachable' }],
    ['503', { kind: 'server', status: 503 }],
    ['403', { kind: 'forbidden' }],
    ['a portal page', { kind: 'malformed', detail: 'html' }],
  ])('comes back by itself after minutes of %s, without a storm', async (_what, error) => {
    const { world, run, count } = await prepare();
    world.engine.fail('stream', error);
    const actor = await run();
    await world.clock.advance(600_000);
    expect(count('stream')).toBeLessThan(60);
    const link = selectLink(actor.getSnapshot());
    expect(link.kind).toBe('waiting');
    expect(link.kind === 'waiting' && link.retryAt > world.clock.now()).toBe(true);
    world.engine.heal();
    await world.clock.advance(30_000);
    expect(selectLink(actor.getSnapshot()).kind).toBe('online');
  });

  it('skips the wait when told to, when the network returns and when the page is shown', async () => {
    const { world, tab, run, count } = await prepare();
    world.engine.fail('stream', { kind: 'unreachable' });
    const actor = await run();
    await world.clock.advance(120_000);
    const before = count('stream');
    actor.send({ type: 'retry.requested' });
    await settle();
    tab.surroundings.set('online');
    await settle();
    tab.surroundings.set('shown');
    await settle();
    expect(count('stream')).toBe(before + 3);
  });

  it('gets a new token when the stream is refused', async () => {
    const { world, run } = await prepare();
    world.engine.fail('stream', { kind: 'unauthenticated' }, 1);
    const actor = await run();
    expect(world.engine.renewals).toBe(1);
    await world.clock.advance(2000);
    expect(selectLink(actor.getSnapshot()).kind).toBe('online');
  });

  it('replaces a stream that fell silent, and only that', async () => {
    const { world, run, count } = await prepare();
    await run();
    for (let beats = 0; beats < 10; beats += 1) {
      await world.clock.advance(10_000);
      world.engine.beat();
    }
    expect(count('stream')).toBe(1);
    await world.clock.advance(90_000);
    expect(count('stream')).toBeGreaterThan(1);
  });

  it('goes on from where it was, so that a break loses nothing', async () => {
    const { world, run, stored, inLog } = await prepare();
    await run();
    world.engine.write(TEAM, { text: 'before' });
    await settle();
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    for (let n = 0; n < 30; n += 1)
      world.engine.write(TEAM, { text: `missed ${n}` }, { silent: true });
    await world.clock.advance(5000);
    expect(stored()).toEqual(inLog());
  });

  it('does not move the cursor past what could not be stored', async () => {
    const { world, run, stored, inLog } = await prepare();
    const actor = await run();
    const cursor = actor.getSnapshot().context.cursor;
    world.database().failure = { kind: 'quota' };
    world.engine.write(TEAM, { text: 'no room' });
    await settle();
    expect(actor.getSnapshot().context.cursor).toBe(cursor);
    world.database().failure = undefined;
    await world.clock.advance(5000);
    expect(stored()).toEqual(inLog());
  });

  it('stands down when another tab leads', async () => {
    const { world, store, run, stored } = await prepare();
    const actor = await run();
    await store.takeFence('tab-2', 1);
    world.engine.write(TEAM, { text: 'not mine' });
    await settle();
    expect(actor.getSnapshot().status).toBe('done');
    expect(stored()).toEqual([]);
  });
});

describe('catch-up', () => {
  it('reads everything missed, however long the gap, and moves the watermark', async () => {
    const { world, run, learn, known, stored, inLog } = await prepare();
    await learn();
    await learn(GENERAL);
    for (let n = 0; n < 350; n += 1) world.engine.write(TEAM, { text: `m${n}` }, { silent: true });
    world.engine.write(GENERAL, { text: 'short' }, { silent: true });
    // The stream starts from now here: catch-up alone has to bring it all.
    world.engine.openStream = (cursor, onSignal) => {
      onSignal({ type: 'beat', cursor: cursor ?? world.engine.newest });
      return () => {};
    };
    await run();
    expect(stored()).toEqual(inLog().slice(1));
    expect(known()).toEqual([{ from: '00000000000000000', to: inLog().at(-1) }]);
    expect(known(GENERAL).at(-1)?.to).toBe(inLog(GENERAL).at(-1));
  });

  it('fills a gap that a crash left between ranges', async () => {
    const { world, store, run, known, stored, inLog } = await prepare();
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

  it('does not take a live message for the watermark', async () => {
    const { world, run, learn, known, stored, inLog } = await prepare();
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
    const { world, tab, run, learn, count } = await prepare();
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
    tab.surroundings.set('hidden');
    await beatFor(180);
    expect(count('counts')).toBe(4);
    tab.surroundings.set('shown');
    await settle();
    expect(count('counts')).toBe(5);
  });

  it('runs again after a burst that an engine may have cut', async () => {
    const { world, run, learn, count } = await prepare();
    await learn();
    await run();
    const burst = Array.from({ length: 100 }, (_, n) =>
      world.engine.write(TEAM, { text: `m${n}` }, { silent: true }),
    );
    world.engine.signal({ type: 'entries', entries: burst });
    await settle();
    expect(count('counts')).toBe(2);
  });

  it('tries again by itself after a failure', async () => {
    const { world, run, learn, stored, inLog } = await prepare();
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

  it('does not let one broken room keep the others behind', async () => {
    const { world, run, learn, stored, inLog } = await prepare();
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
