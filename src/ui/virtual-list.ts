import { useEffect, useState } from 'react';

import { afterPaint } from './deferred/content-shown.ts';

/** The estimated visible part of a list before it is measured, CSS pixels. */
export const FIRST_RECT = { width: 800, height: 900 };

const FIRST_OVERSCAN_ROWS = 2;
const OVERSCAN_ROWS = 10;

/**
 * The number of rows rendered beyond the edges of a list: few for its first paint, then enough that
 * a fast scroll shows no blank.
 */
export const useOverscan = (): number => {
  const [rows, setRows] = useState(FIRST_OVERSCAN_ROWS);
  useEffect(() => afterPaint(() => setRows(OVERSCAN_ROWS)), []);
  return rows;
};
