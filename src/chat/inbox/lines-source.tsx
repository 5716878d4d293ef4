import { useLayoutEffect, useMemo } from 'react';

import { useSummaries } from '#db/hooks/use-summaries.ts';
import { useProducers } from '#db/hooks/use-producers.ts';
import { useUnsent } from '#db/hooks/use-unsent.ts';
import type { OutboxItem } from '#domain/project/rows.ts';
import { isRoomKey } from '#domain/rooms.ts';
import { useSession } from '#src/actors/actors.ts';
import { useConnection } from '#src/actors/desk.ts';
import { useDraftsExcept } from '#src/drafts/use-drafts-except.ts';
import { useChatIds } from '#src/ui/address.tsx';
import { useNow } from '#src/ui/use-now.ts';

import { toLines } from './lines.ts';
import { NO_LINES, setLines } from './use-lines.ts';

/** Labels of times and waits are at most this old, ms. */
const LABEL_AGE_MS = 60_000;

const NO_ITEMS: readonly OutboxItem[] = [];

/** Composes what the lists of clients and rooms say. It shows nothing itself. */
const LinesSource = () => {
  const ids = useChatIds();
  const open = `${ids?.clientId}/${ids?.roomId}`;
  const { user } = useSession();
  const summaries = useSummaries();
  const staff = useProducers();
  const items = useUnsent() ?? NO_ITEMS;
  const isOnline = useConnection().kind === 'online';
  // The draft of the open room is in the message field.
  const drafts = useDraftsExcept(user?.uid, isRoomKey(open) ? open : undefined);
  const now = useNow(LABEL_AGE_MS);
  const lines = useMemo(
    () => toLines({ summaries, user, staff, items, isOnline, drafts, now }),
    [summaries, user, staff, items, isOnline, drafts, now],
  );
  useLayoutEffect(() => setLines(lines), [lines]);
  useLayoutEffect(() => () => setLines(NO_LINES), []);
  return null;
};

export default LinesSource;
