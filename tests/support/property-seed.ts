import { configureGlobal } from 'fast-check';

/**
 * The same code gets the same result at every run; `EXPLORE_SEED=n` uses another seed. A fault
 * found that way becomes a test case of its own.
 */
configureGlobal({ seed: Number(process.env['EXPLORE_SEED'] ?? 20_261_121) });

/**
 * `npm run check` makes the first quarter of the runs of a property test; `npm test` and
 * `npm run check -- --explore` make all of them.
 */
const PART = process.env['QUICK_CHECK'] === 'true' ? 4 : 1;

/** The runs of a property test, of which there are `all`. */
export const toRuns = (all: number): number => Math.ceil(all / PART);
