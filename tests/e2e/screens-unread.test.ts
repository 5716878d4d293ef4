import { expect, test } from 'vitest';

import { EXAMINE_MS, examineScreens } from '#tests/support/screens/examine.ts';
import { UNREAD } from '#tests/support/screens/unread.ts';

test('what is unread is told to everybody', { timeout: EXAMINE_MS }, async () => {
  expect(await examineScreens(UNREAD)).toEqual({});
});
