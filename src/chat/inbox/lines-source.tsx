import { useDeferredValue, useLayoutEffect, useMemo, useRef } from 'react';

import { useNotificationChoice } from '#db/hooks/choices/use-notifications.ts';
import { useKnownRooms } from '#db/hooks/use-summaries.ts';
import { useOpenRoom } from '#src/ui/use-open-room.ts';

import { toLines } from './lines.ts';
import { useInboxData } from './use-inbox-data.ts';
import { type Lines, NO_LINES, setLines } from './use-lines.ts';

/** The lists change at most this often, ms: they need not follow each message of a busy room. */
const SHOW_EVERY_MS = 200;

/** Shows a change at once, and those that follow it soon as one. */
const useShownLines = (lines: Lines): void => {
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
      // Without data they show nothing, and what they wait for comes next.
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

/** Composes the texts of the lists of clients and rooms. It renders nothing itself. */
const LinesSource = () => {
  const open = useOpenRoom();
  const data = useInboxData(open);
  const known = useKnownRooms();
  const choice = useNotificationChoice();
  const { summaries, user, staff, items, isOnline, drafts, now } = data;
  const lines = useMemo(
    () => toLines({ summaries, user, staff, items, isOnline, drafts, now }, known, choice, open),
    [summaries, user, staff, items, isOnline, drafts, now, known, choice, open],
  );
  // First, what the user did or received is painted.
  useShownLines(useDeferredValue(lines));
  return null;
};

export default LinesSource;
