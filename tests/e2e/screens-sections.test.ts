import { expect, test } from 'vitest';

import { EXAMINE_MS, examineScreens } from '#tests/support/screens/examine.ts';
import { SECTIONS } from '#tests/support/screens/sections.ts';

test('pages without a conversation are for everybody', { timeout: EXAMINE_MS }, async () => {
  expect(await examineScreens(SECTIONS)).toEqual({});
});
