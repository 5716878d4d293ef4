/** One line of the test run: a check with a verdict, or a group of vitest projects. */
export interface Step {
  readonly name: string;
  /** The command, from node_modules/.bin. */
  readonly command: readonly [tool: string, ...args: string[]];
  /** Vitest projects whose tests are counted one by one; a step without any counts as one. */
  readonly projects?: readonly string[];
  /** Part of `npm run check`. */
  readonly fast: boolean;
  /** Begins once all others have ended; at most two steps share the machine at any time. */
  readonly late?: boolean;
  /** Uses a browser, which is located before the step starts. */
  readonly needsBrowser?: boolean;
}

const vitest = (projects: readonly string[]): readonly [string, ...string[]] => [
  'vitest',
  'run',
  ...projects.flatMap((project) => ['--project', project]),
];

/** Many tests wait as much as they work: two at a time would leave cores idle. */
const WAITING_WORKERS = 3;

const suite = (name: string, projects: readonly string[], fast = true): Step => ({
  name,
  projects,
  command: vitest(projects),
  fast,
});

const waiting = (step: Step): Step => ({
  ...step,
  command: [...step.command, '--maxWorkers', String(WAITING_WORKERS)],
});

/**
 * Tests of servers wait for their limits, and tests of pages wait for servers: they share the
 * machine with each other, not with a step that takes all of it.
 */
const waitingSuite = (name: string, projects: readonly string[]): Step => ({
  ...waiting(suite(name, projects, false)),
  late: true,
});

const check = (name: string, command: Step['command'], fast = true): Step => ({
  name,
  command,
  fast,
});

/** Everything `npm test` does, in the order of starting. */
export const STEPS: readonly Step[] = [
  check('build', ['vite', 'build'], false),
  suite('simulation', ['simulation'], false),
  check('types', ['tsc', '-b']),
  waiting(suite('core', ['house', 'unit', 'db', 'machines'])),
  // Half of the time of all tests without a browser: too long for `npm run check`.
  waiting(suite('slow-core', ['component', 'db-isolated', 'migration'], false)),
  check('lint', ['oxlint', '--type-aware', '--deny-warnings', '.']),
  check('format', ['oxfmt', '--check', '.']),
  check('dead-code', ['knip']),
  check('tests-only', ['knip', '--production', '--include', 'files']),
  { ...waitingSuite('e2e', ['e2e']), needsBrowser: true },
  waitingSuite('service', ['server', 'contracts']),
];

/**
 * The steps of one run: all, the fast ones, or the one called `only`, which may also be a single
 * vitest project (`--only unit`). Undefined for an unknown name.
 */
export const chooseSteps = (options: {
  readonly fast: boolean;
  readonly only: string | undefined;
  /** The fast steps, and everything that uses a seed. */
  readonly explore?: boolean;
}): readonly Step[] | undefined => {
  const { fast, only, explore = false } = options;
  const isMeant = (step: Step): boolean => step.fast || (explore && step.name === 'simulation');
  if (only === undefined) return STEPS.filter((step) => !fast || isMeant(step));
  const named = STEPS.find((step) => step.name === only);
  if (named) return named.needsBrowser ? [...STEPS.filter(isBuild), named] : [named];
  const holder = STEPS.find((step) => step.projects?.includes(only));
  return holder && [{ ...holder, name: only, projects: [only], command: vitest([only]) }];
};

const isBuild = (step: Step): boolean => step.name === 'build';
