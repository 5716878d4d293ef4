import { useLayoutEffect, useRef } from 'react';

import { type Lines, NO_LINES, setLines } from './use-lines.ts';

/** The lists change at most this often, ms: they need not follow each message of a busy room. */
const SHOW_EVERY_MS = 200;

/** Shows a change at once in all lists, and those that follow it soon as one. */
export const useShownLines = (lines: Lines): void => {
  const newest = useRef(lines);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useLayoutEffect(() => {
    newest.current = lines;
    let shown: Lines | undefined;
    const show = (): void => {
      pause.current = undefined;
      if (newest.current === shown) return;
      shown = newest.current;
      setLines(shown);
      // Lines without data show nothing, and the next ones may have data.
      if (shown.newest) pause.current = setTimeout(show, SHOW_EVERY_MS);
    };
    if (pause.current === undefined) show();
  }, [lines]);
  useLayoutEffect(
    () => () => {
      clearTimeout(pause.current);
      pause.current = undefined;
      setLines(NO_LINES);
    },
    [],
  );
};
