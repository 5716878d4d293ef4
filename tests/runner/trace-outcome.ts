import { findUntraced } from '../spec/trace.ts';
import type { Outcome } from './run-step.ts';
import type { Step } from './steps.ts';

const TRACE: Step = { name: 'spec', command: ['node'], fast: false };

/** Whether the tests of a whole run show every statement of the specification, as a step. */
export const toTraceOutcome = (outcomes: readonly Outcome[]): Outcome => {
  const faults = findUntraced(outcomes.flatMap(({ tagged }) => tagged));
  const failed = faults.length;
  return {
    step: TRACE,
    counts: [{ name: TRACE.name, passed: failed === 0 ? 1 : 0, failed }],
    tagged: [],
    failures: faults,
    seconds: 0,
    ok: failed === 0,
  };
};
