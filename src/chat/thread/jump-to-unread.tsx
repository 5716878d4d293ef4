import { useEffect, useEffectEvent, useRef } from 'react';
import { IconArrowUp, IconCheck } from '@tabler/icons-react';

import { toUnreadLabel } from '#domain/rules/unread-label.ts';
import type { HistoryView } from '#src/actors/desk.ts';
import { focusThread, passFocus } from '#src/ui/focus.ts';

import classes from './jump-to-unread.module.css';
import type { UnreadAbove } from './reading.ts';
import type { ShowRow } from './use-thread-scroll.ts';

/**
 * Returns the jump to the first unread message, which loads older pages until it is there;
 * `firstKey` is the key of the first loaded row.
 */
const useJump = (
  { index }: UnreadAbove,
  history: HistoryView,
  firstKey: string | undefined,
  showRow: ShowRow,
): (() => void) => {
  const isOnTheWay = useRef(false);
  const askedAt = useRef<string | undefined>(undefined);
  const step = (isPressed = false): void => {
    const { state, hasMore, moreFailed, fetchingMore } = history;
    // Whether there are older ones is unknown while the room loads.
    if (!isOnTheWay.current || fetchingMore || state === 'loading') return;
    // A press tries again what failed before.
    if (index === -1 && hasMore && (isPressed || !moreFailed)) {
      // Rows that arrive afterwards would move the target.
      if (askedAt.current === firstKey) return;
      askedAt.current = firstKey;
      return history.fetchMore();
    }
    isOnTheWay.current = false;
    showRow(Math.max(index, 0), 'start');
    focusThread();
  };
  const onRender = useEffectEvent(() => step());
  useEffect(() => onRender());
  return () => {
    isOnTheWay.current = true;
    askedAt.current = undefined;
    step(true);
  };
};

/** Jumps to the first unread message if it is above the visible part. */
const JumpToUnread = ({
  above,
  history,
  firstKey,
  showRow,
  onRead,
}: {
  readonly above: UnreadAbove;
  readonly history: HistoryView;
  /** Key of the first loaded row. */
  readonly firstKey: string | undefined;
  readonly showRow: ShowRow;
  readonly onRead: () => void;
}) => {
  const jump = useJump(above, history, firstKey, showRow);
  return (
    <div ref={passFocus} className={classes['root']}>
      <button
        type="button"
        className={classes['jump']}
        aria-busy={history.fetchingMore}
        onClick={jump}
      >
        <IconArrowUp size={16} stroke={2} aria-hidden />
        {toUnreadLabel(above.count)} new since {above.since}
      </button>
      <button
        type="button"
        className={classes['read']}
        aria-label="Mark as read"
        title="Mark as read"
        onClick={() => {
          focusThread();
          onRead();
        }}
      >
        <IconCheck size={16} stroke={2} aria-hidden />
      </button>
    </div>
  );
};

export default JumpToUnread;
