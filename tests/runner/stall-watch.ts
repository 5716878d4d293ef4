/**
 * A step that said nothing for this long hangs, ms. Suites say something at every test they
 * finish, and a test ends long before this (`TEST_MS_MAX`), so that the test is what fails.
 */
export const STALL_MS = 900_000;

/** Watches the progress of a step. */
export interface StallWatch {
  /** It said something. */
  readonly note: (line: string) => void;
  /** What it said last; undefined before the first line. */
  last(): string | undefined;
  stop(): void;
}

/** Calls `onStall` once when nothing was noted for `limitMs`, however long it went on before. */
export const watchForStall = (limitMs: number, onStall: () => void): StallWatch => {
  let said: string | undefined;
  const timer = setTimeout(onStall, limitMs);
  return {
    note: (line) => {
      said = line;
      timer.refresh();
    },
    last: () => said,
    stop: () => clearTimeout(timer),
  };
};
