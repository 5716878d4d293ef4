import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { SECTIONS } from '#tests/support/screens/sections.ts';

test('pages without a conversation are accessible', async () => {
  expect(
    await examineScreens(SECTIONS, [
      '/dashboard',
      '/videos',
      '/deliveries',
      '/settings',
      '/spendings',
      '/referral',
    ]),
  ).toEqual({});
});
