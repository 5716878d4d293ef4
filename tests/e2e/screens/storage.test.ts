import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { STORAGE } from '#tests/support/screens/storage.ts';

test('storage and session failures are accessible', async () => {
  expect(await examineScreens(STORAGE)).toEqual({});
});
