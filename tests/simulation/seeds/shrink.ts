import { type PlanCut, toPlan, UNCUT } from '../plan.ts';
import type { Outcome } from '../run-plan.ts';
import type { Workers } from './workers.ts';

/** A failing seed in its smallest form. */
export interface Shrunk {
  readonly cut: PlanCut;
  readonly outcome: Outcome;
}

const SHORTER = [0.25, 0.5, 0.75];

/** Tries one cut; undefined unless the same invariant is still violated. */
type Attempt = (cut: PlanCut) => Promise<Shrunk | undefined>;

const shorten = async (shrunk: Shrunk, attempt: Attempt): Promise<Shrunk> => {
  const { faultMs } = toPlan(shrunk.outcome.seed, shrunk.cut);
  const end = Math.min(faultMs, shrunk.outcome.violation?.at ?? faultMs);
  for (const part of SHORTER) {
    const shorter = await attempt({ ...shrunk.cut, faultMs: end * part });
    if (shorter) return shorten(shorter, attempt);
  }
  return shrunk;
};

const dropFaults = async (start: Shrunk, attempt: Attempt): Promise<Shrunk> => {
  let shrunk = start;
  for (const fault of toPlan(start.outcome.seed, start.cut).faults) {
    const withoutFaults = [...shrunk.cut.withoutFaults, fault];
    shrunk = (await attempt({ ...shrunk.cut, withoutFaults })) ?? shrunk;
  }
  return shrunk;
};

const dropEvents = async (start: Shrunk, attempt: Attempt): Promise<Shrunk> => {
  let shrunk = start;
  for (const { number } of toPlan(start.outcome.seed, start.cut).events) {
    const withoutEvents = [...shrunk.cut.withoutEvents, number];
    shrunk = (await attempt({ ...shrunk.cut, withoutEvents })) ?? shrunk;
  }
  return shrunk;
};

/**
 * Shrinks a failing seed: less time, fewer kinds of fault, fewer events, while the same invariant
 * is violated.
 */
export const shrink = async (
  workers: Workers,
  outcome: Outcome,
  mutation: string,
): Promise<Shrunk> => {
  const attempt: Attempt = async (cut) => {
    const smaller = await workers.run({ seed: outcome.seed, mutation, cut });
    const isSame = smaller.violation?.invariant === outcome.violation?.invariant;
    return isSame ? { cut, outcome: smaller } : undefined;
  };
  const shorter = await shorten({ cut: UNCUT, outcome }, attempt);
  return dropEvents(await dropFaults(shorter, attempt), attempt);
};
