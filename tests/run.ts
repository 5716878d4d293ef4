/**
 * The test command: `npm test` runs everything, `--fast` what needs no browser and no
 * build, `--only NAME` one step or one vitest project. Ends with a table and the line
 * `N passed, M failed`; the exit code is 1 unless M is 0.
 */
import { parseArgs } from 'node:util';

import { type Outcome, runStep } from './runner/run-step.ts';
import { chooseSteps, type Step, STEPS } from './runner/steps.ts';
import { toSummary } from './runner/summary.ts';
import { findBrowser, findShell, NO_BROWSER } from './support/browser/browser.ts';

const LANES = 2;

/** Runs the steps in order, two at a time. */
const runInLanes = async (steps: readonly Step[]): Promise<readonly Outcome[]> => {
  const waiting = [...steps];
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      outcomes.push(await runStep(step, {}));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return outcomes;
};

/** A step that needs a browser fails with the ways to get one when there is none. */
const runExclusive = async (step: Step): Promise<Outcome> => {
  if (!step.needsBrowser) return runStep(step, {});
  const say = (line: string): void => console.log(`browser   | ${line}`);
  const browser = await findBrowser(say);
  const shell = browser && (await findShell(say));
  if (browser) {
    return runStep(step, {
      CHROMIUM_PATH: browser,
      ...(shell && { CHROMIUM_SHELL_PATH: shell }),
    });
  }
  console.error(NO_BROWSER);
  const counts = [{ name: step.name, passed: 0, failed: 1 }];
  return { step, counts, seconds: 0, ok: false, reason: 'no browser' };
};

const run = async (steps: readonly Step[]): Promise<number> => {
  const outcomes = [...(await runInLanes(steps.filter((step) => !step.exclusive)))];
  for (const step of steps.filter((step) => step.exclusive)) {
    outcomes.push(await runExclusive(step));
  }
  const order = outcomes.toSorted((a, b) => steps.indexOf(a.step) - steps.indexOf(b.step));
  const { text, failed } = toSummary(order);
  console.log(`\n${text}`);
  return failed === 0 ? 0 : 1;
};

const { values } = parseArgs({
  options: { fast: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const steps = chooseSteps({ fast: values.fast, only: values.only });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

if (steps) {
  process.exitCode = await run(steps);
} else {
  const names = STEPS.flatMap((step) => [step.name].concat(step.projects ?? []));
  console.error(`No step is called "${values.only}". Steps: ${names.join(', ')}.`);
  process.exitCode = 1;
}
