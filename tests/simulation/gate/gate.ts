import { MUTATIONS } from './mutations.ts';
import { runSeeds } from '../seeds/run-seeds.ts';
import type { Workers } from '../seeds/workers.ts';

/** Every broken variant must be caught within this many seeds. */
const GATE_SEEDS = 500;

/** Seeds that catch a variant which few others catch; tried first. */
const KNOWN_SEEDS: Readonly<Record<string, readonly number[]>> = {
  'watermark as Number': [15],
  'no fencing after steal': [95],
  'one page counted': [99],
  'unread counted once': [12],
  'messages marked as unread are not counted': [17],
  'waiting rooms ignore marks': [59],
};

/** The result of a broken variant. */
export interface Catch {
  readonly mutation: string;
  readonly seeds: number;
  /** Seeds that caught it. */
  readonly caught: number;
  /** How many seeds each invariant caught. */
  readonly by: ReadonlyMap<string, number>;
}

/**
 * Runs seeds on a broken variant: all of them, or until the first catch, with the known seeds
 * first.
 */
export const catchMutation = async (
  workers: Workers,
  mutation: string,
  untilFirst: boolean,
): Promise<Catch> => {
  const first = untilFirst ? KNOWN_SEEDS[mutation] : undefined;
  const range = { from: 1, count: GATE_SEEDS, mutation, ...(first && { first }) };
  const tally = await runSeeds(workers, range, ({ failures }) => untilFirst && failures.length > 0);
  const by = new Map<string, number>();
  for (const { violation } of tally.failures) {
    const invariant = violation?.invariant ?? '';
    by.set(invariant, (by.get(invariant) ?? 0) + 1);
  }
  return { mutation, seeds: tally.seeds, caught: tally.failures.length, by };
};

/** One broken variant in one line. */
export const toCatchLine = ({ mutation, seeds, caught, by }: Catch): string => {
  const parts = Array.from(by, ([invariant, times]) => `${invariant} ${times}`);
  return `${mutation}: caught in ${caught} of ${seeds} seeds (${parts.join(', ') || 'never'})`;
};

export const MUTATION_NAMES: readonly string[] = MUTATIONS.map(({ name }) => name);
