import { expect, test } from 'vitest';

import { EXAMINE_MS, examineScreens } from '#tests/support/screens/examine.ts';
import { FIRST_VISIT } from '#tests/support/screens/first-visit.ts';

test('loading and failing is told to everybody', { timeout: EXAMINE_MS }, async () => {
  expect(await examineScreens(FIRST_VISIT)).toEqual({});
});
