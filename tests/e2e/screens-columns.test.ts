import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/examine.ts';
import { COLUMNS } from '#tests/support/screens/columns.ts';

test('the columns are for everybody', async () => {
  expect(await examineScreens(COLUMNS)).toEqual({});
});
