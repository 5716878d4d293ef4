import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { ROOMS } from '#tests/support/screens/rooms.ts';

test('threads and composers are accessible', async () => {
  expect(
    await examineScreens(ROOMS, [
      '/chat/c_001/team',
      '/chat/c_001/general',
      '/chat/c_008/producers',
    ]),
  ).toEqual({});
});
