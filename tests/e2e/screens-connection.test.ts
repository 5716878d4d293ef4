import { expect, test } from 'vitest';

import { EXAMINE_MS, examineScreens } from '#tests/support/screens/examine.ts';
import { CONNECTION } from '#tests/support/screens/connection.ts';

test('the connection is told to everybody', { timeout: EXAMINE_MS }, async () => {
  expect(await examineScreens(CONNECTION)).toEqual({});
});
