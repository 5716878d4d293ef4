import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { FIRST_VISIT } from '#tests/support/screens/first-visit.ts';

test('loading and failing are accessible', async () => {
  expect(await examineScreens(FIRST_VISIT)).toEqual({});
});
