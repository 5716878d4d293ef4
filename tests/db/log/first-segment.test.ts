import { expect, it } from 'vitest';

import { fromEpochMs, toEpochMs } from '#domain/timetoken.ts';
import { createDevice } from '#tests/support/device.ts';

const START_MS = 1_700_000_000_000;
const MINUTE_MS = 60_000;

/** How far before its start the first stream has a segment, minutes. */
const openFirst = async (requestedMinutes: number): Promise<number> => {
  const tab = await createDevice().openTab();
  await tab.takeFence('tab-1', 0);
  const requested = fromEpochMs(START_MS - requestedMinutes * MINUTE_MS);
  await tab.openSegment(1, { after: fromEpochMs(START_MS), requested, resumes: false });
  const known = await tab.findAllCoverage();
  const [first] = known.ok ? known.value.segments : [];
  if (first === undefined) throw new Error('no segment');
  return (START_MS - toEpochMs(first.after)) / MINUTE_MS;
};

it('the first segment begins where the stream was requested, but no more than 20 minutes back', async () => {
  expect(await openFirst(5)).toBe(5);
  expect(await openFirst(60 * 24 * 30)).toBe(20);
});
