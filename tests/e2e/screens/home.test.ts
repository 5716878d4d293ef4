import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { HOME } from '#tests/support/screens/sections.ts';

test('Home is accessible', async () => {
  expect(await examineScreens(HOME, ['/'])).toEqual({});
});
