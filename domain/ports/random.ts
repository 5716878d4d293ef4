/** Chance. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
}
