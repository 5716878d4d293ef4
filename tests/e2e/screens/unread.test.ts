import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { UNREAD } from '#tests/support/screens/unread.ts';

test('unread marks are accessible', async () => {
  expect(await examineScreens(UNREAD)).toEqual({});
});
