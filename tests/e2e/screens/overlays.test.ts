import { expect, test } from 'vitest';

import { examineScreens } from '#tests/support/screens/checks/examine.ts';
import { OVERLAYS } from '#tests/support/screens/overlays.ts';

test('overlays are accessible', async () => {
  expect(await examineScreens(OVERLAYS)).toEqual({});
});
