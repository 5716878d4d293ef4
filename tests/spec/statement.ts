/** A statement of the specification, and what shows that it holds. */
export interface Statement {
  /** In our words. */
  readonly says: string;
  /**
   * Tests, as `folder/file: title` below `tests/`. At least one of them looks through the
   * real page or real HTTP (`e2e`, `server`).
   */
  readonly shownBy: readonly [string, ...string[]];
}

/** What the specification leaves open, and what was decided. */
export interface OpenStatement {
  readonly says: string;
  readonly decision: string;
}

/** Statements by id, `S<section>.<number>`. */
export type Section = Readonly<Record<`S${number}.${number}`, Statement>>;
