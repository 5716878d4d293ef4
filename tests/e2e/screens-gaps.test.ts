import { expect, test } from 'vitest';

import { EXAMINE_MS, examineScreens } from '#tests/support/screens/examine.ts';
import { GAPS } from '#tests/support/screens/gaps.ts';

test('what is missing is told to everybody', { timeout: EXAMINE_MS }, async () => {
  expect(await examineScreens(GAPS)).toEqual({});
});
