import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { COLUMNS } from '#tests/support/screens/columns.ts';

test('the columns are accessible', async () => {
  expect(await examineScreens(COLUMNS, ['/chat', '/chat/c_001/general'])).toEqual({});
});
