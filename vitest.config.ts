import { resolve } from 'node:path';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { isStatementId, STATEMENTS } from './tests/spec/statements.ts';
import { TEST_MS_MAX, WAIT_MS_MAX } from './tests/support/wait-for.ts';

/** The build for pages; a bare import would load the one for Node. */
const PUBNUB_WEB_BUILD = resolve('node_modules/pubnub/dist/web/pubnub.min.js');

/** Files that take a minute or more, most of it waiting. */
const LONG =
  /\/(?:e2e\/(?:screens|faults|session\/expiry)|server\/attacks|start-build|realtime\/kill)/;

/** Long files begin first: one that began last would run alone. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONG.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Databases in memory, which Dexie finds only if they are set up before it is loaded. */
const IN_MEMORY = ['fake-indexeddb/auto'];
/**
 * Tests that replace a module, or count what all databases do: what earlier files loaded and left
 * open would change the result.
 */
export const ISOLATED = [
  'tests/db/device/own-keys.test.ts',
  'tests/db/device/purge-user-data.test.ts',
  'tests/db/log/append-cost.test.ts',
  'tests/db/log/durability.test.ts',
  'tests/db/log/missing-part.test.ts',
  'tests/db/read/hooks.test.ts',
  'tests/db/read/left-rooms.test.ts',
  'tests/db/read/stored-message.test.ts',
  'tests/db/read/summaries.test.ts',
  'tests/db/read/thread-stream.test.ts',
  'tests/db/read/threads.test.ts',
  'tests/db/read/unread/unread-model.test.ts',
  'tests/db/read/visited.test.ts',
  'tests/db/user/open-store.test.ts',
];

/**
 * Files share their modules unless `isolate` is true: then each has its own, and with them its own
 * globals, such as in-memory databases.
 */
const node = (
  name: string,
  include: readonly string[],
  { isolate = false, setup = [] as readonly string[], exclude = [] as readonly string[] } = {},
) => ({
  extends: true as const,
  test: {
    name,
    environment: 'node',
    isolate,
    include: [...include],
    exclude: [...exclude],
    setupFiles: [...setup, 'tests/support/property-seed.ts'],
  },
});

const inFolder = (name: string): string => `tests/${name}/**/*.test.ts`;

const MIGRATION = inFolder('db/migration');

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
    // A summary shows the compared values, not "Array(1)".
    chaiConfig: { truncateThreshold: 1000 },
    // Not performance limits: these only end hangs.
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX,
    expect: { poll: { timeout: WAIT_MS_MAX, interval: 25 } },
    projects: [
      node('house', [inFolder('house'), inFolder('spec')]),
      node('unit', [inFolder('unit'), inFolder('property')], { setup: IN_MEMORY }),
      node('db', [inFolder('db')], { setup: IN_MEMORY, exclude: [...ISOLATED, MIGRATION] }),
      node('db-isolated', ISOLATED, { isolate: true, setup: IN_MEMORY }),
      node('migration', [MIGRATION], { setup: IN_MEMORY }),
      node('machines', [inFolder('machines')], {
        setup: ['./tests/machines/load-late-parts.ts'],
      }),
      {
        ...node('contracts', [inFolder('contracts')], { isolate: true }),
        resolve: { alias: { pubnub: PUBNUB_WEB_BUILD } },
      },
      node('server', [inFolder('server')]),
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
          // Loading the page's code for every file would take as long as the tests.
          isolate: false,
          include: ['tests/component/**/*.test.tsx'],
          setupFiles: ['tests/support/patient-queries.ts', 'tests/support/screen-frames.ts'],
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
