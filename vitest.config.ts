import { resolve } from 'node:path';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { isStatementId, STATEMENTS } from './tests/spec/statements.ts';
import { TEST_MS_MAX, WAIT_MS_MAX } from './tests/support/wait-for.ts';

/** The build for pages; a bare import would load the one for Node. */
const PUBNUB_WEB_BUILD = resolve('node_modules/pubnub/dist/web/pubnub.min.js');

/** Files that take a minute or more, most of it waiting. */
const LONG = /\/(?:e2e\/(?:screens|faults)|server\/attacks|start-build|realtime\/kill)/;

/** Long files begin first: one that began last would run alone. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * Files share their modules unless `isolate` is true: then each has its own, and with them its own
 * globals, such as in-memory databases.
 */
const node = (
  name: string,
  folders: readonly string[],
  isolate = false,
  setup: readonly string[] = [],
) => ({
  extends: true as const,
  test: {
    name,
    environment: 'node',
    isolate,
    include: folders.map((f) => `tests/${f}/**/*.test.ts`),
    // Dexie uses databases in memory for its live queries only if they exist when it is loaded.
    setupFiles: [...setup, 'tests/support/property-seed.ts'],
  },
});

export default defineConfig({
  test: {
    // Many tests wait for processes and timers; two cores are the minimum.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    // A test names the statements of the specification that it shows; an unknown tag is an error.
    tags: Object.keys(STATEMENTS)
      .filter(isStatementId)
      .map((name) => ({ name, description: STATEMENTS[name] })),
    strictTags: true,
    // Not performance limits: these only end hangs.
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX,
    expect: { poll: { timeout: WAIT_MS_MAX, interval: 25 } },
    projects: [
      node('house', ['house', 'spec']),
      node('unit', ['unit', 'property']),
      node('db', ['db'], true, ['fake-indexeddb/auto']),
      node('machines', ['machines'], false, ['./tests/machines/load-late-parts.ts']),
      {
        ...node('contracts', ['contracts'], true),
        resolve: { alias: { pubnub: PUBNUB_WEB_BUILD } },
      },
      node('server', ['server']),
      {
        extends: true,
        test: {
          name: 'simulation',
          environment: 'node',
          include: ['tests/simulation/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'component',
          environment: 'happy-dom',
          include: ['tests/component/**/*.test.tsx'],
          setupFiles: ['tests/support/patient-queries.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          // All files of a worker share its browser.
          isolate: false,
          include: ['tests/e2e/**/*.test.ts'],
          setupFiles: ['tests/support/page/no-policy-violations.ts'],
        },
      },
    ],
  },
});
