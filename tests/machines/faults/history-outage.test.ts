import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import type { AppError } from '#domain/errors.ts';
import { selectLink } from '#machines/connection/link.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { prepareConnection } from '../connection/prepare-connection.ts';

const UNAVAILABLE: AppError = { kind: 'server', status: 503 };
const ROOMS = Array.from({ length: 40 }, (_, n) => toRoomKey(`c_${100 + n}`, 'team'));

const MAYA = { client_id: 'c_0', client: { first_name: 'Maya', last_name: 'Okafor' } };

/** A live stream, and rooms that are behind; history fails from now on. */
const prepareOutage = async (error: AppError, rooms: readonly RoomKey[] = ROOMS) => {
  const desk = await prepareConnection();
  const { world } = desk;
  for (const room of rooms) await desk.learn(room);
  for (const room of rooms) world.engine.write(room, { text: 'missed' }, { silent: true });
  world.engine.complete = false;
  world.engine.openStream = (_cursor, onSignal) => {
    onSignal({ type: 'opened', after: world.engine.newest });
    onSignal({ type: 'beat', cursor: world.engine.newest });
    const beat = (): void => {
      onSignal({ type: 'beat', cursor: world.engine.newest });
      timer = world.clock.timers.setTimeout(beat, 10_000);
    };
    let timer = world.clock.timers.setTimeout(beat, 10_000);
    return () => world.clock.timers.clearTimeout(timer);
  };
  world.engine.fail('history', error);
  world.engine.fail('newest', error);
  /** Number of requests while `seconds` pass. */
  const countFor = async (seconds: number): Promise<number> => {
    const before = world.engine.calls.length;
    await world.clock.advance(seconds * 1000);
    return world.engine.calls.length - before;
  };
  return { ...desk, countFor };
};

describe('during a history outage', () => {
  it.each<[string, AppError]>([
    ['503', UNAVAILABLE],
    ['unreachable', { kind: 'unreachable' }],
    ['timeout', { kind: 'timeout' }],
    ['403 for every room', { kind: 'forbidden' }],
    ['a page of unknown shape', { kind: 'malformed', detail: 'page' }],
    ['429', { kind: 'limited', retryAfterMs: 20_000 }],
  ])('the requests of a browser stay below one per second on average: %s', async (_what, error) => {
    const { run, countFor } = await prepareOutage(error);
    await run();
    expect(await countFor(60)).toBeLessThanOrEqual(60);
    expect(await countFor(600)).toBeLessThanOrEqual(200);
  });

  it('at most two rooms are requested per round', async () => {
    const { world, run, count } = await prepareOutage(UNAVAILABLE);
    world.engine.fail('history', UNAVAILABLE);
    await run();
    expect(count('counts')).toBe(1);
    expect(count('history')).toBe(2);
  });

  it('the wait is as long as the engine requests', async () => {
    const { run, countFor } = await prepareOutage({ kind: 'limited', retryAfterMs: 45_000 });
    await run();
    expect(await countFor(44)).toBe(0);
    expect(await countFor(2)).toBeGreaterThan(0);
  });

  it('a returning network triggers a retry at once, and every room is read once history works', async () => {
    const { world, tab, run, countFor, stored, inLog } = await prepareOutage(UNAVAILABLE);
    await run();
    await countFor(600);
    world.engine.heal();
    tab.environment.set('online');
    await settle();
    expect(ROOMS.map((room) => stored(room))).toEqual(ROOMS.map((room) => inLog(room).slice(1)));
  });

  it('broken rooms do not starve the others', async () => {
    const { world, run, countFor, stored, inLog } = await prepareOutage(UNAVAILABLE);
    world.engine.heal();
    const broken = new Set(ROOMS.slice(0, 5));
    const { readHistory } = world.engine;
    world.engine.readHistory = async (query, cancel) => {
      const answer = await readHistory(query, cancel);
      return broken.has(query.room) ? { ok: false, error: UNAVAILABLE } : answer;
    };
    await run();
    await countFor(300);
    const fine = ROOMS.slice(5);
    expect(fine.map((room) => stored(room))).toEqual(fine.map((room) => inLog(room).slice(1)));
  });

  it('messages still count as new after a few rounds, and the page reports that some are missing', async () => {
    const { world, run, countFor, stored, inLog } = await prepareOutage(UNAVAILABLE);
    const actor = await run();
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online', catchingUp: true });
    await countFor(60);
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online', incomplete: true });
    world.engine.heal();
    await countFor(60);
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online' });
    expect(ROOMS.map((room) => stored(room))).toEqual(ROOMS.map((room) => inLog(room).slice(1)));
  });

  it('one broken room neither prolongs catching up nor keeps others from being prefetched', async () => {
    const [broken, fine] = ROOMS as [RoomKey, RoomKey];
    const { world, store, run, known, countFor } = await prepareOutage(UNAVAILABLE, [broken, fine]);
    world.engine.heal();
    const { readHistory } = world.engine;
    world.engine.readHistory = async (query, cancel) => {
      const answer = await readHistory(query, cancel);
      return query.room === broken ? { ok: false, error: UNAVAILABLE } : answer;
    };
    await store.saveTeams([MAYA], 1);
    const actor = await run();
    await countFor(60);
    expect(selectLink(actor.getSnapshot())).toEqual({ kind: 'online', incomplete: true });
    expect(ROOM_IDS.map((id) => known(toRoomKey(MAYA.client_id, id)).length)).toEqual([1, 1, 1]);
    expect(await countFor(600)).toBeLessThanOrEqual(200);
  });

  it('at most two rooms are prefetched before a pause, and all of them once history works', async () => {
    const { world, store, run, known, count, countFor } = await prepareOutage(UNAVAILABLE, []);
    const clients = Array.from({ length: 100 }, (_, n) => ({
      client_id: `c_${n}`,
      client: { first_name: 'Maya', last_name: 'Okafor' },
    }));
    await store.saveTeams(clients, 1);
    await run();
    expect([count('newest'), count('history')]).toEqual([1, 2]);
    expect(await countFor(600)).toBeLessThanOrEqual(60);
    world.engine.heal();
    await countFor(120);
    const rooms = clients.flatMap(({ client_id }) =>
      ROOM_IDS.map((id) => toRoomKey(client_id, id)),
    );
    expect(rooms.filter((room) => known(room).length === 0)).toEqual([]);
  });
});
