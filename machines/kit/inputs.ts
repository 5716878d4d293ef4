import type { Store } from '#domain/ports/storage.ts';

/** What the machines of a leading tab work with. */
export interface LeaderInput {
  readonly store: Store;
  readonly uid: string;
  /** Fencing token of this leader. */
  readonly fence: number;
}
