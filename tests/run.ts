/**
 * The test command: `npm test` runs everything, `--only NAME` one step or one vitest project, and
 * `--fast` the steps marked `fast` in steps.ts (static checks and quick tests), with a quarter of
 * the runs of property tests. These and the simulation use the same seed at every run; `--explore`
 * uses a new one and prints it, `--seed N` repeats one. Ends with a table and the line
 * `N passed, M failed`; the exit code is 1 unless M is 0.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { type Outcome, runStep } from './runner/run-step.ts';
import { chooseSteps, type Step, STEPS } from './runner/steps.ts';
import { toSummary } from './runner/summary.ts';
import { toTraceOutcome } from './runner/trace-outcome.ts';
import { findBrowser, findShell, NO_BROWSER } from './support/browser/browser.ts';

const LANES = 2;
/** Seeds of property tests are 32-bit integers; the simulation counts up from the seed. */
const EXPLORE_SEED_MAX = 2 ** 31 - 1000;

/** A step that needs a browser fails with the ways to get one if there is none. */
const runWithBrowser = async (step: Step, env: NodeJS.ProcessEnv): Promise<Outcome> => {
  const say = (line: string): void => console.log(`browser   | ${line}`);
  const browser = await findBrowser(say);
  const shell = browser && (await findShell(say));
  if (browser) {
    return runStep(step, {
      ...env,
      CHROMIUM_PATH: browser,
      ...(shell && { CHROMIUM_SHELL_PATH: shell }),
    });
  }
  console.error(NO_BROWSER);
  const counts = [{ name: step.name, passed: 0, failed: 1 }];
  return { step, counts, tagged: [], failures: [], seconds: 0, ok: false, reason: 'no browser' };
};

/** Runs the steps in order, two at a time. */
const runInLanes = async (
  steps: readonly Step[],
  env: NodeJS.ProcessEnv,
): Promise<readonly Outcome[]> => {
  const waiting = [...steps];
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      outcomes.push(await (step.needsBrowser ? runWithBrowser : runStep)(step, env));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return outcomes;
};

const run = async (steps: readonly Step[], env: NodeJS.ProcessEnv): Promise<number> => {
  const early = steps.filter(({ late }) => !late);
  const late = steps.filter((step) => step.late);
  const outcomes = [...(await runInLanes(early, env)), ...(await runInLanes(late, env))];
  const order = outcomes.toSorted((a, b) => steps.indexOf(a.step) - steps.indexOf(b.step));
  // Only a run of all tests can show that a statement has no test.
  const isWhole = STEPS.every((step) => steps.includes(step));
  const { text, failed } = toSummary(isWhole ? [...order, toTraceOutcome(outcomes)] : order);
  console.log(`\n${text}`);
  return failed === 0 ? 0 : 1;
};

const { values } = parseArgs({
  options: {
    fast: { type: 'boolean', default: false },
    only: { type: 'string' },
    explore: { type: 'boolean', default: false },
    seed: { type: 'string' },
  },
});
const { fast, only } = values;
const explore = values.explore || values.seed !== undefined;
const seed = Number(values.seed ?? randomInt(1, EXPLORE_SEED_MAX));
const steps = chooseSteps({ fast, only, explore });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

if (!Number.isInteger(seed) || seed < 1 || seed > EXPLORE_SEED_MAX) {
  console.error(`--seed takes a whole number from 1 to ${EXPLORE_SEED_MAX}, not "${values.seed}".`);
  process.exitCode = 1;
} else if (steps) {
  if (explore) console.log(`explore   | seed ${seed}; the same again: --seed ${seed}`);
  const quick = fast && !explore;
  process.exitCode = await run(steps, {
    ...(explore && { EXPLORE_SEED: String(seed) }),
    QUICK_CHECK: String(quick),
  });
} else {
  const names = STEPS.flatMap((step) => [step.name].concat(step.projects ?? []));
  console.error(`No step is called "${only}". Steps: ${names.join(', ')}.`);
  process.exitCode = 1;
}
