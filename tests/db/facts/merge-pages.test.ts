import { rebuildProjections } from '#db/log/rebuild.ts';
import { pruneHistory } from '#db/log/retention.ts';
import { toRoomPrefix } from '#domain/envelope.ts';
import { RETENTION_AGE_MS } from '#domain/limits.ts';
import { fromEpochMs, toEpochMs } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, received, ROOM } from '#tests/support/facts.ts';
import { expect, it } from 'vitest';

import { dumpProjections, listStored } from '../dump.ts';

const OTHER = 'c_002/team';

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

it('a clock that is far ahead prunes nothing that the log shows to be recent', async () => {
  const { tab, db, prune } = await prepare();
  await tab.writeHeartbeat(1, 0, { kind: 'online' }, at(400));
  expect(await prune(toEpochMs(at(400)) + 2 * RETENTION_AGE_MS)).toBe(0);
  expect(await listStored(db)).toHaveLength(400);
  const later = fromEpochMs(toEpochMs(at(400)) + 2 * RETENTION_AGE_MS);
  await tab.writeHeartbeat(1, 0, { kind: 'online' }, later);
  expect(await prune(toEpochMs(later))).toBe(200);
});
