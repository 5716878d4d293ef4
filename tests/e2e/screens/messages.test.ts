import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { MESSAGES } from '#tests/support/screens/messages.ts';

test('what becomes of messages is told to everybody', async () => {
  expect(await examineScreens(MESSAGES)).toEqual({});
});
