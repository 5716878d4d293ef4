import type { ThreadRow } from './thread-row.ts';

const LINE_PX = 22.5;
const ROW_PADDING_PX = 4;
const HEADER_PX = 28;
const DAY_PX = 40;
const FAILED_PX = 36;
const GAP_PX = 44;
const NEW_PX = 28;
/** Mean width of a character of the text. */
const CHAR_PX = 7.2;
const TEXT_WIDTH_MAX_PX = 736;
const MARGINS_PX = 90;
const WIDTH_GUESS_PX = 800;

/**
 * Measured heights are whole numbers: an estimate that is not whole never equals one (see below).
 */
const GUESS_MARK_PX = 0.5;

const estimate = (row: ThreadRow, width: number): number => {
  const room = Math.max(120, Math.min(TEXT_WIDTH_MAX_PX, width - MARGINS_PX));
  const perLine = Math.floor(room / CHAR_PX);
  const lines = row.text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
  const guess =
    lines * LINE_PX +
    ROW_PADDING_PX +
    (row.startsGroup ? HEADER_PX : 0) +
    (row.nextDay === '' ? 0 : DAY_PX) +
    (row.gap === '' ? 0 : GAP_PX) +
    (row.newAfter ? NEW_PX : 0) +
    (row.state === 'failed' ? FAILED_PX : 0);
  return Math.floor(guess) + GUESS_MARK_PX;
};

/** An estimate with the width of the thread for which it was made. */
interface Estimate {
  readonly width: number;
  readonly height: number;
}

/** The list requests the estimate of every row at each change of the thread. */
const estimates = new WeakMap<ThreadRow, Estimate>();

/**
 * Estimated height of a row before it is measured, CSS pixels; `width` of the thread. The list
 * drops a measurement that equals its estimate, and would estimate again when the row changes
 * although its height does not.
 */
export const estimateRowHeight = (row: ThreadRow | undefined, width = WIDTH_GUESS_PX): number => {
  if (row === undefined) return LINE_PX;
  const known = estimates.get(row);
  if (known?.width === width) return known.height;
  const height = estimate(row, width);
  estimates.set(row, { width, height });
  return height;
};
