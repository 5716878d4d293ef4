import { useLayoutEffect, useMemo } from 'react';

import { useKnownRooms } from '#db/hooks/use-summaries.ts';
import { isRoomKey } from '#domain/rooms.ts';
import { useChatIds } from '#src/ui/address.tsx';

import { toLines } from './lines.ts';
import { useInboxData } from './use-inbox-data.ts';
import { NO_LINES, setLines } from './use-lines.ts';

/** Composes the texts of the lists of clients and rooms. It renders nothing itself. */
const LinesSource = () => {
  const ids = useChatIds();
  const open = `${ids?.clientId}/${ids?.roomId}`;
  const data = useInboxData(isRoomKey(open) ? open : undefined);
  const known = useKnownRooms();
  const { summaries, user, staff, items, isOnline, drafts, now } = data;
  const lines = useMemo(
    () => toLines({ summaries, user, staff, items, isOnline, drafts, now }, known),
    [summaries, user, staff, items, isOnline, drafts, now, known],
  );
  useLayoutEffect(() => setLines(lines), [lines]);
  useLayoutEffect(() => () => setLines(NO_LINES), []);
  return null;
};

export default LinesSource;
