import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { SIGNED_OUT } from '#tests/support/screens/signed-out.ts';

test('the sign-in page is accessible', async () => {
  expect(await examineScreens(SIGNED_OUT, ['/login', '/register'])).toEqual({});
});
