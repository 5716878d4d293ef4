import { expect, test } from 'vitest';

import { EXAMINE_MS, examineScreens } from '#tests/support/screens/examine.ts';
import { ROOMS } from '#tests/support/screens/rooms.ts';

test('threads and composers are for everybody', { timeout: EXAMINE_MS }, async () => {
  expect(await examineScreens(ROOMS)).toEqual({});
});
