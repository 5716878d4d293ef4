/**
 * A denied session, until ms since the epoch, when its cookie ends by itself; `mark` is what the
 * store knows it by.
 */
export type Denial = readonly [mark: string, until: number];

/** Where denied sessions outlive the process. */
export interface DeniedStore {
  load(): Iterable<Denial>;
  /** Rejects when it could not be written; it is then written again. */
  add(denial: Denial): Promise<void>;
  /** Reports what others add, again and again. Returns the way to stop. */
  follow?(onDenial: (denial: Denial) => void, listKnown: () => Iterable<Denial>): () => void;
  /** Asks the store itself, which knows at once what others deny. Rejects when it cannot say. */
  has?(mark: string): Promise<boolean>;
  /** The mark of a session; its id where this is missing. */
  toMark?(sid: string): string;
}
