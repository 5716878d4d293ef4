/** A statement of the specification, and the tests that show it. */
export interface Statement {
  /** The statement, paraphrased. */
  readonly says: string;
  /**
   * Tests, as `folder/file: title` below `tests/`. At least one of them uses the real page or real
   * HTTP (`e2e`, `server`).
   */
  readonly shownBy: readonly [string, ...string[]];
}

/** An open point of the specification, and the decision about it. */
export interface OpenStatement {
  readonly says: string;
  readonly decision: string;
}

/** Statements by id, `S<section>.<number>`. */
export type Section = Readonly<Record<`S${number}.${number}`, Statement>>;
