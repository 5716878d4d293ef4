import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { MESSAGES } from '#tests/support/screens/messages.ts';

test('message states are accessible', async () => {
  expect(await examineScreens(MESSAGES)).toEqual({});
});
