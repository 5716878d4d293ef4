import { uncover } from '#db/log/save-coverage.ts';
import { write } from '#db/schema/write.ts';
import { fromEpochMs, type Timetoken, toEpochMs } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, ROOM } from '#tests/support/facts.ts';
import { expect, it } from 'vitest';

const minute = (n: number): Timetoken => at(n * 60_000);

it('removing a position keeps nothing that the next stream takes from the last segment', async () => {
  const tab = await createDevice().openTab();
  const { database } = tab;
  await tab.takeFence('tab-1', 0);
  await tab.openSegment(1, { after: minute(0), resumes: false });
  await tab.closeSegment(1, minute(30));
  const tables = [database.log, database.coverage, database.meta];
  await write(database, tables, () => uncover(database, ROOM, [minute(10)]));
  await tab.openSegment(1, { after: minute(40), resumes: false });
  const coverage = await tab.findCoverage(ROOM);
  const covers = (position: Timetoken): boolean =>
    coverage.ok &&
    (coverage.value?.ranges.some(({ from, to }) => from <= position && position <= to) ?? false);
  const late = fromEpochMs(toEpochMs(minute(30)) - 1000);
  expect([minute(5), minute(10), minute(20), late].map(covers)).toEqual([true, false, true, false]);
});
