import { expect, test } from 'vitest';

import { EXAMINE_MS, examineScreens } from '#tests/support/screens/examine.ts';
import { COLUMNS } from '#tests/support/screens/columns.ts';

test('the columns are for everybody', { timeout: EXAMINE_MS }, async () => {
  expect(await examineScreens(COLUMNS)).toEqual({});
});
