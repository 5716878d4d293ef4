import { type PlanCut, toPlan } from '../plan.ts';
import type { Outcome } from '../run-plan.ts';
import type { Tally } from './run-seeds.ts';
import type { Shrunk } from './shrink.ts';

const percent = (part: number, whole: number): string =>
  `${whole === 0 ? '0' : ((100 * part) / whole).toFixed(1)} %`;

/** The result of many seeds, in one line. */
export const toTallyLine = (tally: Tally, seconds: number): string => {
  const { seeds, failures, messages, duplicates, ms } = tally;
  const hours = (ms / 3_600_000).toFixed(1);
  const rate = (seeds / seconds).toFixed(1);
  return [
    `${seeds} seeds, ${failures.length} failed`,
    `${messages} own messages, ${percent(duplicates, messages)} of them twice on the wire`,
    `${hours} virtual hours in ${seconds.toFixed(0)} s, ${rate} seeds/s`,
  ].join('; ');
};

/** One failing seed in one line. */
export const toFailureLine = ({ seed, violation }: Outcome): string =>
  `seed ${seed}: ${violation?.invariant}: ${violation?.detail}`;

const toCutLine = (cut: PlanCut): string => `cut: ${JSON.stringify(cut)}`;

/** A failing seed with all its events in its smallest form. */
export const toReport = ({ cut, outcome }: Shrunk): string => {
  const { faults, faultMs, devices, traits } = toPlan(outcome.seed, cut);
  return [
    toFailureLine(outcome),
    `${devices} devices, faults for ${Math.round(faultMs)} ms: ${[...faults].join(', ') || 'none'}`,
    `engine: ${JSON.stringify(traits)}`,
    toCutLine(cut),
    ...outcome.lines,
  ].join('\n');
};
