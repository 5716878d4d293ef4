import { IconArrowUp, IconCheck } from '@tabler/icons-react';

import { toUnreadLabel } from '#domain/rules/unread-label.ts';
import type { HistoryView } from '#src/actors/desk.ts';

import { focusThread } from '#src/ui/focus.ts';
import classes from './jump-to-unread.module.css';
import type { UnreadAbove } from './reading.ts';
import { useJump } from './use-jump.ts';
import type { ShowRow } from './use-thread-scroll.ts';

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
    <div className={classes['root']}>
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
