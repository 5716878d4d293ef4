import { expect, it } from 'vitest';

import { rebuildProjections } from '#db/log/rebuild.ts';
import { createDevice } from '#tests/support/device.ts';
import { at, page, queued, received, ROOM } from '#tests/support/facts.ts';

import { dumpProjections } from '../dump.ts';

const filled = async () => {
  const tab = await createDevice().openTab();
  await tab.takeFence('tab-1', 0);
  await tab.append([received(at(1)), received(at(2)), page(at(1), at(2), true), queued('mine')]);
  return tab;
};

it('clears the coverage, but neither messages nor the outbox', async () => {
  const tab = await filled();
  expect(await tab.forgetCoverage(1)).toEqual({ ok: true, value: undefined });
  expect(await tab.findCoverage(ROOM)).toEqual({ ok: true, value: undefined });
  expect(await tab.database.entries.count()).toBe(2);
  expect(await tab.findNextQueued(ROOM)).toMatchObject({ value: { id: 'mine' } });
});

it('leaves a log that rebuilds the same tables and accepts the same page again', async () => {
  const tab = await filled();
  await tab.forgetCoverage(1);
  const before = await dumpProjections(tab.database);
  await rebuildProjections(tab.database);
  expect(await dumpProjections(tab.database)).toEqual(before);
  await tab.append([page(at(1), at(2), true)]);
  expect(await tab.findCoverage(ROOM)).toMatchObject({ value: { reachedStart: true } });
});

it('is refused to a tab that no longer leads', async () => {
  const tab = await filled();
  await tab.takeFence('tab-2', 0);
  expect(await tab.forgetCoverage(1)).toEqual({ ok: false, error: { kind: 'fenced' } });
  expect(await tab.findCoverage(ROOM)).toMatchObject({ value: { reachedStart: true } });
});
