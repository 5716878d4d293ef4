import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { SIGNED_OUT } from '#tests/support/screens/signed-out.ts';

test('signing in is for everybody', async () => {
  expect(await examineScreens(SIGNED_OUT)).toEqual({});
});
