import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { CONNECTION } from '#tests/support/screens/connection.ts';

test('the connection status is accessible', async () => {
  expect(await examineScreens(CONNECTION)).toEqual({});
});
