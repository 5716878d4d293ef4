import { isStatementId, STATEMENTS } from './statements.ts';

/** A test with tags, as a run reports it. */
export interface TaggedTest {
  /** Its file, below `tests/`. */
  readonly file: string;
  readonly title: string;
  /** `passed`, `failed`, or what kept it from running: `skipped`, `todo`. */
  readonly status: string;
  readonly tags: readonly string[];
}

/** Tests through the real page or over real HTTP. */
const REAL = /^(?:e2e|server)\//;

const hasRun = ({ status }: TaggedTest): boolean => status === 'passed' || status === 'failed';

/**
 * The faults in the trace of the specification after a run of all tests: statements that no test
 * shows through the page or over HTTP, tags that name no statement, tagged tests that did not run.
 * A test that ran and failed does not count as a fault of the trace.
 */
export const findUntraced = (tests: readonly TaggedTest[]): readonly string[] => {
  const shown = new Set(
    tests.filter((test) => hasRun(test) && REAL.test(test.file)).flatMap(({ tags }) => tags),
  );
  const unshown = Object.entries(STATEMENTS)
    .filter(([id]) => !shown.has(id))
    .map(([id, says]) => `${id} has no test that ran in e2e or server: ${says}`);
  const unknown = tests.flatMap(({ file, title, tags }) =>
    tags
      .filter((tag) => !isStatementId(tag))
      .map((tag) => `no statement ${tag}: ${file}: ${title}`),
  );
  const idle = tests
    .filter((test) => !hasRun(test))
    .map(({ file, title, status }) => `${status}: ${file}: ${title}`);
  return [...unshown, ...unknown, ...idle];
};
