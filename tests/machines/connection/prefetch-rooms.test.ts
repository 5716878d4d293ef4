import type { AppError } from '#domain/errors.ts';
import { ROOM_IDS, toRoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { GENERAL, prepareConnection, TEAM } from './prepare-connection.ts';

const MAYA = { client_id: 'c_001', client: { first_name: 'Maya', last_name: 'Okafor' } };

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
    const { world, store, run, known, count } = await prepareConnection();
    const ids = Array.from({ length: 14 }, (_, n) => `c_${101 + n}`);
    await store.saveTeams(
      ids.map((client_id) => ({ client_id, client: MAYA.client })),
      1,
    );
    await run();
    const rooms = ids.flatMap((id) => ROOM_IDS.map((room) => toRoomKey(id, room)));
    expect(rooms.map((room) => known(room).length)).toEqual(rooms.map(() => 1));
    expect([count('newest'), count('history')]).toEqual([5, 0]);
    expect(world.logged).toEqual([]);
  });

  it('joins a page to the stream, also of an empty room', async () => {
    const { world, store, run, known, stored, inLog } = await prepareConnection();
    for (let n = 0; n < 40; n += 1) world.engine.write(TEAM, { text: `m${n}` }, { silent: true });
    await run();
    await store.saveTeams([MAYA], 1);
    await settle();
    world.engine.write(TEAM, { text: 'live' });
    await settle();
    expect(stored()).toEqual(inLog().slice(-26));
    for (const room of [TEAM, GENERAL]) {
      const coverage = await store.findCoverage(room);
      expect(coverage.ok && coverage.value?.ranges).toHaveLength(1);
    }
    expect(known(GENERAL)[0]?.from).toBe(TIMETOKEN_ZERO);
  });

  it('requests rooms that an answer omits again, and reads them one by one if it has none', async () => {
    const { world, store, run, known, count } = await prepareConnection();
    world.engine.omitted = new Set([TEAM]);
    await store.saveTeams([MAYA], 1);
    await run();
    expect([known(), known(GENERAL)].map(({ length }) => length)).toEqual([1, 1]);
    expect([count('newest'), count('history')]).toEqual([2, 1]);
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
      // The room that failed was read when the list of rooms was read again.
      const rooms = ROOM_IDS.map((id) => toRoomKey('c_001', id));
      expect(rooms.map((room) => known(room).length)).toEqual([1, 1, 1]);
      expect([count('newest'), count('history')]).toEqual([2, 4]);
    },
  );
});
