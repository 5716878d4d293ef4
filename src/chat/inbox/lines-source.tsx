import { useDeferredValue, useMemo } from 'react';

import { useNotificationChoice } from '#db/hooks/choices/use-notifications.ts';
import { useKnownRooms } from '#db/hooks/use-summaries.ts';
import { useOpenRoom } from '#src/ui/use-open-room.ts';

import { toLines } from './lines.ts';
import { useInboxData } from './use-inbox-data.ts';
import { useShownLines } from './use-shown-lines.ts';

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
  // The effect of an input, or a received message, is painted first.
  useShownLines(useDeferredValue(lines));
  return null;
};

export default LinesSource;
