import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { FINDING } from '#tests/support/screens/finding.ts';

test('the ways to a message are accessible', async () => {
  expect(await examineScreens(FINDING, ['/search'])).toEqual({});
});
