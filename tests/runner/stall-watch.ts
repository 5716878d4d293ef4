/**
 * A step without output for this long hangs, ms. Suites print at every finished test, and a test
 * ends long before this (`TEST_MS_MAX`), so that the test itself fails.
 */
export const STALL_MS = 900_000;

/** Watches the progress of a step. */
export interface StallWatch {
  /** Records output. */
  readonly note: (line: string) => void;
  /** The last line; undefined before the first one. */
  last(): string | undefined;
  stop(): void;
}

/** Calls `onStall` once if nothing was recorded for `limitMs`, however long it ran before. */
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
