import type { AppError } from '#domain/errors.ts';
import type { HistoryPage } from '#domain/ports/network.ts';
import type { Store } from '#domain/ports/storage.ts';
import { fail, ok } from '#domain/result.ts';
import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { nextTimetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { GENERAL, prepareConnection, TEAM } from './prepare-connection.ts';

const PRODUCERS = toRoomKey('c_001', 'producers');
const MAYA = { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } };

const toTeams = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ client_id: `c_${101 + n}`, client: MAYA.client }));
/** The rooms of the first clients of a list. */
const toRooms = (count: number, first?: string): readonly RoomKey[] =>
  toTeams(count).flatMap(({ client_id }) =>
    ROOM_IDS.map((room) => toRoomKey(first ?? client_id, room)),
  );

describe('prefetch', () => {
  it('reads the newest page of every unopened room, including rooms of later clients', async () => {
    const { world, store, run, known, stored, inLog, count } = await prepareConnection();
    for (let n = 0; n < 40; n += 1) world.engine.write(TEAM, { text: `m${n}` }, { silent: true });
    await run();
    expect(count('history')).toBe(0);
    await store.saveTeams([MAYA], 1);
    await settle();
    expect(stored()).toEqual(inLog().slice(-25));
    expect(known()).toEqual([{ from: inLog().at(-25), to: inLog().at(-1) }]);
    expect(known(GENERAL)).toHaveLength(1);
    expect([count('newest'), count('history')]).toEqual([1, 0]);
  });

  it('reads ten rooms in one request', async () => {
    const { store, run, known, count } = await prepareConnection();
    await store.saveTeams(toTeams(13), 1);
    await run();
    expect(toRooms(13).map((room) => known(room).length)).toEqual(toRooms(13).map(() => 1));
    // 39 rooms.
    expect([count('newest'), count('history')]).toEqual([4, 0]);
  });

  it('reads only the rooms of the first 100 clients', async () => {
    const { store, run, known } = await prepareConnection();
    await store.saveTeams(toTeams(101), 1);
    await run();
    const read = toRooms(101).filter((room) => known(room).length > 0);
    expect(read).toEqual(toRooms(100));
  });

  it('joins a page to the stream, also of an empty room', async () => {
    const { world, store, run, known, inLog } = await prepareConnection();
    for (let n = 0; n < 40; n += 1) world.engine.write(GENERAL, { text: `${n}` }, { silent: true });
    world.engine.write(TEAM, { text: 'before' }, { silent: true });
    const opened = world.engine.write(GENERAL, { text: 'last' }, { silent: true }).timetoken;
    await run();
    await store.saveTeams([MAYA], 1);
    await settle();
    // Each page reaches the position at which the stream began.
    expect(known()).toEqual([{ from: TIMETOKEN_ZERO, to: opened }]);
    expect(known(PRODUCERS)).toEqual([{ from: TIMETOKEN_ZERO, to: opened }]);
    expect(known(GENERAL)).toEqual([{ from: inLog(GENERAL).at(-25), to: opened }]);
  });

  it('reads the unread messages that a listed room lacks, and requests each page once', async () => {
    const { world, store, run, known, stored, inLog, count } = await prepareConnection();
    for (let n = 0; n < 60; n += 1) world.engine.write(TEAM, { text: `m${n}` }, { silent: true });
    await store.saveTeams([MAYA], 1);
    let report: Parameters<Store['watchUnreadGaps']>[0] = () => undefined;
    await run({
      watchUnreadGaps: (listener) => {
        report = listener;
        return () => undefined;
      },
    });
    expect(stored()).toEqual(inLog().slice(-25));
    const [after, before] = [inLog()[9]!, inLog()[35]!];
    const gap = { after, before, isLowest: true };
    const removed = toRoomKey('c_999', 'team');
    for (let n = 0; n < 2; n += 1) report(new Map([removed, TEAM].map((room) => [room, gap])));
    await settle();
    expect(stored()).toEqual(inLog().slice(-50));
    expect(known()).toEqual([{ from: nextTimetoken(after), to: inLog().at(-1) }]);
    expect(count('history')).toBe(1);
    // One that fails waits for the next catch-up.
    let refused = 0;
    world.engine.readHistory = async () => {
      refused += 1;
      return fail({ kind: 'unreachable' });
    };
    for (let n = 0; n < 3; n += 1) {
      report(new Map([[GENERAL, gap]]));
      await settle();
    }
    expect(refused).toBe(1);
  });

  it('takes the entries of a page in any order', async () => {
    const { world, store, run, known, inLog } = await prepareConnection();
    for (let n = 0; n < 40; n += 1) world.engine.write(TEAM, { text: `m${n}` }, { silent: true });
    const readNewest = world.engine.readNewest;
    world.engine.readNewest = async (...given) => {
      const answer = await readNewest(...given);
      if (!answer.ok) return answer;
      const turn = ([room, { entries, full }]: readonly [RoomKey, HistoryPage]) =>
        [room, { full, entries: entries.toReversed() }] as const;
      return ok(new Map([...answer.value].map(turn)));
    };
    await store.saveTeams([MAYA], 1);
    await run();
    expect(known()).toEqual([{ from: inLog().at(-25), to: inLog().at(-1) }]);
  });

  it('does not trust a full page without entries', async () => {
    const { world, store, run, known, count } = await prepareConnection();
    world.engine.readNewest = async () => ok(new Map([[TEAM, { entries: [], full: true }]]));
    await store.saveTeams([MAYA], 1);
    await run();
    expect(known()).toHaveLength(1);
    expect(count('history')).toBe(3);
  });

  it('requests rooms that an answer omits again, and reads them one by one if it has none', async () => {
    const { world, store, run, known, count } = await prepareConnection();
    world.engine.omitted = new Set(toRooms(4));
    await store.saveTeams(toTeams(8), 1);
    await run();
    expect(toRooms(8).map((room) => known(room).length)).toEqual(toRooms(8).map(() => 1));
    // 1 to 10: none; 11 to 20: all but 11 and 12; 21 to 24, 11 and 12: the first four; 11 and 12.
    expect([count('newest'), count('history')]).toEqual([4, 12]);
  });

  it('stores nothing once another tab leads', async () => {
    const { store, run, known } = await prepareConnection();
    await run();
    await store.takeFence('tab-2', 1);
    await store.saveTeams([MAYA], 1);
    await settle();
    expect(toRooms(1, 'c_001').map((room) => known(room))).toEqual([[], [], []]);
  });

  it('stores nothing once it was stopped', async () => {
    const { world, store, run, known } = await prepareConnection();
    const readNewest = world.engine.readNewest;
    let answer = (): void => undefined;
    world.engine.readNewest = async (...given) => {
      await new Promise<void>((done) => {
        answer = done;
      });
      return readNewest(...given);
    };
    await store.saveTeams([MAYA], 1);
    const actor = await run();
    actor.stop();
    answer();
    await settle();
    expect(known()).toEqual([]);
  });

  it('skips rooms with coverage', async () => {
    const { store, run, learn, count } = await prepareConnection();
    await learn();
    await learn(GENERAL);
    await learn('c_001/producers');
    await store.saveTeams([MAYA], 1);
    await run();
    expect([count('newest'), count('history')]).toEqual([0, 0]);
  });

  it('reads a room of which only an absence without entries is known', async () => {
    const { world, store, run, stored, inLog, count } = await prepareConnection();
    world.engine.write(TEAM, { text: 'before the first stream' }, { silent: true });
    const { timetoken } = world.engine.write(GENERAL, { text: 'meanwhile' }, { silent: true });
    const quiet = { from: timetoken, to: timetoken, reachedStart: false };
    await store.append([{ type: 'v1.HistoryPageLoaded', room: TEAM, ...quiet }]);
    await store.saveTeams([MAYA], 1);
    await run();
    expect(stored()).toEqual(inLog());
    expect(count('newest')).toBe(1);
  });

  it('stops at a failure of all rooms, and resumes when the connection is back', async () => {
    const { world, store, run, known, count } = await prepareConnection();
    await store.saveTeams([MAYA], 1);
    world.engine.fail('newest', { kind: 'unreachable' });
    await run();
    expect([count('newest'), count('history')]).toEqual([1, 0]);
    world.engine.heal();
    world.engine.signal({ type: 'ended', error: { kind: 'unreachable' } });
    await world.clock.advance(5000);
    expect([known(), known(GENERAL), known('c_001/producers')].map(({ length }) => length)).toEqual(
      [1, 1, 1],
    );
  });

  it.each<AppError>([{ kind: 'forbidden' }, { kind: 'timeout' }])(
    'reads the rooms one by one if one of them may be why a request fails: %j',
    async (error) => {
      const { world, store, run, known, count } = await prepareConnection();
      await store.saveTeams([MAYA], 1);
      world.engine.fail('newest', error);
      world.engine.fail('history', { kind: 'forbidden' }, 1);
      await run();
      expect(known()).toHaveLength(0);
      expect([known(GENERAL), known(PRODUCERS)].map(({ length }) => length)).toEqual([1, 1]);
      expect([count('newest'), count('history')]).toEqual([1, 3]);
    },
  );

  it('sends no further request for many rooms after one that was too slow', async () => {
    const { world, store, run, count } = await prepareConnection();
    await store.saveTeams([MAYA], 1);
    world.engine.fail('newest', { kind: 'timeout' });
    await run();
    await store.saveTeams(toTeams(5), 2);
    await settle();
    expect([count('newest'), count('history')]).toEqual([1, 18]);
  });
});
