import type { Figure } from './figure.ts';
import type { World } from './world/world.ts';

/** One bench: `npm run bench -- <name>`. */
export interface Bench {
  readonly name: string;
  /** Measures in the given world; throws if a precondition of the measurement is not met. */
  run(world: World): Promise<readonly Figure[]>;
}

/** The options of a run. */
export interface Settings {
  /** The checkout that is measured: its server, page and storage. */
  readonly product: string;
  /** Samples of each figure. */
  readonly samples: number;
  /** Messages in the browser's store. */
  readonly messages: number;
  /** The factor by which the page runs slower than the machine. */
  readonly throttle: number;
  /** Fewer rounds of the engine. */
  readonly isQuick: boolean;
}
