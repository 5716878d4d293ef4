import type { Store } from '#domain/ports/storage.ts';

/** Input of the machines of a leading tab. */
export interface LeaderInput {
  readonly store: Store;
  readonly uid: string;
  /** Fencing token of this leader. */
  readonly fence: number;
}
