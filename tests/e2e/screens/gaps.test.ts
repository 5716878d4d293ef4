import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { GAPS } from '#tests/support/screens/gaps.ts';

test('what is missing is told to everybody', async () => {
  expect(await examineScreens(GAPS)).toEqual({});
});
