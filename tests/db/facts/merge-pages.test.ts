import { rebuildProjections } from '#db/log/rebuild.ts';
import { pruneHistory } from '#db/log/retention.ts';
import { toRoomPrefix } from '#domain/envelope.ts';
import { RETENTION_AGE_MS } from '#domain/limits.ts';
import type { RoomKey } from '#domain/rooms.ts';
import {
  fromEpochMs,
  nextTimetoken,
  previousTimetoken,
  type Timetoken,
  toEpochMs,
} from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, received, ROOM } from '#tests/support/facts.ts';
import { describe, expect, it } from 'vitest';

import { dumpProjections, listStored } from '../dump.ts';

const OTHER = 'c_002/team';

const minute = (n: number): Timetoken => at(n * 60_000);

const prepare = async () => {
  const tab = await createDevice().openTab();
  await tab.takeFence('tab-1', 0);
  await tab.append(Array.from({ length: 400 }, (_, n) => received(at(n))));
  const db = tab.database;
  const count = (room: string) =>
    db.log.where('key').startsWith(toRoomPrefix('page', room)).count();
  return { tab, db, count, prune: (now: number) => pruneHistory(db, 1, now) };
};

it('the many overlapping pages of a room become one, with the same coverage', async () => {
  const { tab, db, count, prune } = await prepare();
  for (let n = 0; n < 40; n += 1) {
    await tab.append([page(at(n), at(n + 5)), page(at(200 + n), at(205 + n))]);
  }
  for (let n = 0; n < 8; n += 1)
    await tab.append([{ ...page(at(n * 10), at(n * 10 + 2)), room: OTHER }]);
  const before = await dumpProjections(db);
  expect([await count(ROOM), await count(OTHER)]).toEqual([80, 8]);
  await prune(toEpochMs(at(0)));
  expect([await count(ROOM), await count(OTHER)]).toEqual([2, 8]);
  expect(await dumpProjections(db)).toEqual(before);
  await rebuildProjections(db);
  expect(await dumpProjections(db)).toEqual(before);
});

describe('pages with the stream between them', () => {
  const streamed = async (rooms?: readonly RoomKey[]) => {
    const { tab, count, prune } = await prepare();
    for (let n = 0; n < 20; n += 1) {
      const opening = { after: minute(n * 20), resumes: false, ...(rooms && { rooms }) };
      await tab.openSegment(1, opening);
      await tab.closeSegment(1, minute(n * 20 + 10));
    }
    const known = await tab.findCoverage(ROOM);
    const ranges = (known.ok && known.value?.ranges) || [];
    const gaps = ranges.slice(1).map(({ from }, i) => {
      return page(nextTimetoken(ranges[i]?.to ?? from), previousTimetoken(from));
    });
    await tab.append(gaps);
    const before = await tab.findCoverage(ROOM);
    expect(await count(ROOM)).toBe(19);
    await prune(toEpochMs(at(0)));
    expect(await tab.findCoverage(ROOM)).toEqual(before);
    return { tab, count, prune };
  };

  it('become one', async () => {
    const { tab, count } = await streamed();
    expect(await count(ROOM)).toBe(1);
    const before = await dumpProjections(tab.database);
    await rebuildProjections(tab.database);
    expect(await dumpProjections(tab.database)).toEqual(before);
  });

  it('claim no more than the stream did, whose end another stream may shorten', async () => {
    const reopen = async (isPruned: boolean) => {
      const { tab, prune } = await prepare();
      await tab.openSegment(1, { after: minute(0), resumes: false });
      for (let n = 0; n < 20; n += 1) await tab.append([page(minute(n), minute(n + 1))]);
      await tab.closeSegment(1, minute(30));
      if (isPruned) await prune(toEpochMs(at(0)));
      await tab.openSegment(1, { after: minute(40), resumes: false });
      return tab.findCoverage(ROOM);
    };
    expect(await reopen(true)).toEqual(await reopen(false));
  });

  it('become one although the stream delivered more intervals', async () => {
    const { tab, count, prune } = await prepare();
    for (let n = 0; n < 20; n += 1) await tab.append([page(minute(n), minute(n + 1))]);
    for (let n = 2; n < 30; n += 1) {
      await tab.openSegment(1, { after: minute(n * 20), resumes: false });
      await tab.closeSegment(1, minute(n * 20 + 10));
    }
    await prune(toEpochMs(at(0)));
    expect(await count(ROOM)).toBe(1);
  });

  it('stay while the room is not subscribed, because the stream does not cover it', async () => {
    const { tab, count, prune } = await streamed([ROOM]);
    expect(await count(ROOM)).toBe(1);
    for (let n = 0; n < 20; n += 1) {
      await tab.append([page(minute(800 + n * 20), minute(801 + n * 20))]);
    }
    await tab.openSegment(1, { after: minute(700), resumes: false, rooms: [OTHER] });
    await tab.closeSegment(1, minute(2000));
    await prune(toEpochMs(at(0)));
    expect(await count(ROOM)).toBe(21);
  });
});

it('a clock that is far ahead prunes nothing that the log shows to be recent', async () => {
  const { tab, db, prune } = await prepare();
  await tab.writeHeartbeat(1, 0, { kind: 'online' }, at(400));
  expect(await prune(toEpochMs(at(400)) + 2 * RETENTION_AGE_MS)).toBe(0);
  expect(await listStored(db)).toHaveLength(400);
  const later = fromEpochMs(toEpochMs(at(400)) + 2 * RETENTION_AGE_MS);
  await tab.writeHeartbeat(1, 0, { kind: 'online' }, later);
  expect(await prune(toEpochMs(later))).toBe(200);
});
