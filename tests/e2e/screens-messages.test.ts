import { expect, test } from 'vitest';

import { EXAMINE_MS, examineScreens } from '#tests/support/screens/examine.ts';
import { MESSAGES } from '#tests/support/screens/messages.ts';

test('what becomes of messages is told to everybody', { timeout: EXAMINE_MS }, async () => {
  expect(await examineScreens(MESSAGES)).toEqual({});
});
