import type { Store } from '#domain/ports/storage.ts';
import { ok } from '#domain/result.ts';
import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { settle } from '#tests/support/fake-clock.ts';
import { describe, expect, it } from 'vitest';

import { prepareConnection } from './prepare-connection.ts';

const toTeams = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    client_id: `c_${101 + n}`,
    client: { first_name: 'Maya', last_name: 'Okafor' },
  }));
/** The rooms of the first clients of a list. */
const toRooms = (count: number): readonly RoomKey[] =>
  toTeams(count).flatMap(({ client_id }) => ROOM_IDS.map((room) => toRoomKey(client_id, room)));

describe('rooms beyond those that are prefetched', () => {
  it('are read if they have entries after the read position, once it is known', async () => {
    const { world, store, run, known, count } = await prepareConnection();
    await store.saveTeams(toTeams(120), 1);
    const [read, unread] = [toRoomKey('c_210', 'team'), toRoomKey('c_215', 'team')];
    const { timetoken } = world.engine.write(read, { text: 'read elsewhere' }, { silent: true });
    world.engine.write(unread, { text: 'overnight' }, { silent: true });
    let report: Parameters<Store['watchUnreadGaps']>[0] = () => undefined;
    const reportOften = async () => {
      for (let n = 0; n < 3; n += 1) {
        report(new Map());
        await settle();
      }
    };
    let isKnown = false;
    let coverageReads = 0;
    const findAllCoverage = store.findAllCoverage.bind(store);
    await run({
      findAllCoverage: () => {
        coverageReads += 1;
        return findAllCoverage();
      },
      findReadUpTo: async (rooms) =>
        ok(isKnown ? new Map(rooms.map((room) => [room, timetoken])) : undefined),
      watchUnreadGaps: (listener) => {
        report = listener;
        return () => undefined;
      },
    });
    expect(toRooms(120).filter((room) => known(room).length > 0)).toEqual(toRooms(100));
    expect(count('counts')).toBe(0);
    isKnown = true;
    await reportOften();
    expect(known(unread)).toHaveLength(1);
    expect(known(read)).toEqual([]);
    expect(count('counts')).toBe(1);
    // The count is not repeated with every message.
    const before = coverageReads;
    await reportOften();
    expect(coverageReads).toBe(before);
  });

  it('are counted once if the engine does not answer', async () => {
    const { world, store, run, count } = await prepareConnection();
    await store.saveTeams(toTeams(120), 1);
    let report: Parameters<Store['watchUnreadGaps']>[0] = () => undefined;
    world.engine.fail('counts', { kind: 'unreachable' });
    await run({
      findReadUpTo: async (rooms) => ok(new Map(rooms.map((room) => [room, TIMETOKEN_ZERO]))),
      watchUnreadGaps: (listener) => {
        report = listener;
        return () => undefined;
      },
    });
    for (let n = 0; n < 5; n += 1) {
      report(new Map());
      await settle();
    }
    expect(count('counts')).toBe(1);
  });
});
