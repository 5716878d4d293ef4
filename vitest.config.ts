import { resolve } from 'node:path';

import { defineConfig } from 'vitest/config';

/** The build that pages get; a bare import would load the one for Node. */
const PUBNUB_WEB_BUILD = resolve('node_modules/pubnub/dist/web/pubnub.min.js');

const node = (name: string, folders: readonly string[]) => ({
  extends: true as const,
  test: {
    name,
    environment: 'node',
    include: folders.map((f) => `tests/${f}/**/*.test.ts`),
    setupFiles: ['tests/support/property-seed.ts'],
    // Compilers are started and thousands of rows written, on machines that may be busy.
    testTimeout: 30_000,
  },
});

export default defineConfig({
  test: {
    projects: [
      node('house', ['house', 'spec']),
      node('unit', ['unit', 'property']),
      node('db', ['db']),
      node('machines', ['machines']),
      { ...node('contracts', ['contracts']), resolve: { alias: { pubnub: PUBNUB_WEB_BUILD } } },
      node('server', ['server']),
      {
        extends: true,
        test: {
          name: 'simulation',
          environment: 'node',
          include: ['tests/simulation/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'component',
          environment: 'happy-dom',
          include: ['tests/component/**/*.test.tsx'],
          setupFiles: ['tests/support/patient-queries.ts'],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/e2e/**/*.test.ts'],
          setupFiles: ['tests/support/no-policy-violations.ts'],
          // Most of them wait most of the time; more than two would measure each other.
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000, interval: 25 } },
        },
      },
    ],
  },
});
