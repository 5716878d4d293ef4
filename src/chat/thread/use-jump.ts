import { useEffect, useEffectEvent, useRef } from 'react';

import type { HistoryView } from '#src/actors/desk.ts';

import { focusThread } from '#src/ui/focus.ts';
import type { UnreadAbove } from './reading.ts';
import type { ShowRow } from './use-thread-scroll.ts';

/**
 * Returns the jump to the first unread message, which loads older pages until it is there;
 * `firstKey` is the key of the first loaded row.
 */
export const useJump = (
  { index }: UnreadAbove,
  history: HistoryView,
  firstKey: string | undefined,
  showRow: ShowRow,
): (() => void) => {
  const isOnTheWay = useRef(false);
  const askedAt = useRef<string | undefined>(undefined);
  const step = (): void => {
    const { state, hasMore, moreFailed, fetchingMore } = history;
    // Whether there are older ones is unknown while the room loads.
    if (!isOnTheWay.current || fetchingMore || state === 'loading') return;
    if (index === -1 && hasMore && !moreFailed) {
      // Rows that arrive afterwards would move the target.
      if (askedAt.current === firstKey) return;
      askedAt.current = firstKey;
      return history.fetchMore();
    }
    isOnTheWay.current = false;
    showRow(Math.max(index, 0), 'start');
    focusThread();
  };
  const onRender = useEffectEvent(step);
  useEffect(() => onRender());
  return () => {
    isOnTheWay.current = true;
    askedAt.current = undefined;
    step();
  };
};
