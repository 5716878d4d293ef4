import { configureGlobal } from 'fast-check';

/**
 * The same code gets the same result at every run; `EXPLORE_SEED=n` uses another seed. A fault
 * found in this way gets a separate test case.
 */
configureGlobal({ seed: Number(process.env['EXPLORE_SEED'] ?? 20_261_121) });

/**
 * `npm run check` makes the first quarter of the runs of a property test; `npm test` and `npm run
 * check -- --explore` make all of them.
 */
const PART = process.env['QUICK_CHECK'] === 'true' ? 4 : 1;

/** The number of runs of a property test, which has `all` in a full run. */
export const toRuns = (all: number): number => Math.ceil(all / PART);
