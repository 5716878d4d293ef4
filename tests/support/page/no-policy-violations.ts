import { afterAll, afterEach, expect } from 'vitest';

import { takePolicyViolations } from './problems.ts';

/**
 * No page of any browser test violates the content policy (SECURITY.md), whatever else it allows.
 */
const expectNone = (): void => {
  expect(takePolicyViolations()).toEqual([]);
};

afterEach(expectNone);
afterAll(expectNone);
