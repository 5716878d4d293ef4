import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { GAPS } from '#tests/support/screens/gaps.ts';

test('gaps are accessible', async () => {
  expect(await examineScreens(GAPS)).toEqual({});
});
