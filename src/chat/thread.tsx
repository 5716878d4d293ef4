import { type ReactNode, useRef } from 'react';
import { IconArrowDown } from '@tabler/icons-react';

import classes from './thread.module.css';
import type { ThreadRow } from './thread-row.ts';
import { ThreadRows } from './thread-rows.tsx';
import { useEndKey } from './use-end-key.ts';
import { usePinnedRow } from './use-pinned-row.ts';
import { useSeams } from './use-seams.ts';
import { useThreadScroll } from './use-thread-scroll.ts';

const EndPill = ({
  unseen,
  onClick,
}: {
  readonly unseen: boolean;
  readonly onClick: () => void;
}) => (
  <button type="button" className={classes['pill']} data-unseen={unseen} onClick={onClick}>
    <IconArrowDown size={16} stroke={2} aria-hidden />
    {unseen ? 'New messages' : 'Latest messages'}
  </button>
);

interface ThreadProps {
  readonly rows: readonly ThreadRow[];
  /** Stands above the first message. */
  readonly head: ReactNode;
  /** Whether the newest is in sight. */
  readonly onEnd: (inSight: boolean) => void;
}

/** The messages of a room, oldest first; only those near the visible part are in the page. */
export const Thread = ({ rows, head, onEnd }: ThreadProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const seams = useSeams(rows);
  const scroll = useThreadScroll(rows, scroller, onEnd);
  const { virtualizer, away, unseen, isInSight, onScroll, toEnd } = scroll;
  useEndKey(away, toEnd);
  usePinnedRow(virtualizer, rows, seams.pinnedKey);
  return (
    <div className={classes['root']}>
      <div
        ref={scroller}
        role="region"
        aria-label="Messages"
        tabIndex={0}
        className={classes['scroller']}
        onScroll={() => {
          onScroll();
          seams.settle(isInSight);
        }}
      >
        <ThreadRows
          items={virtualizer.getVirtualItems()}
          rows={rows}
          headed={seams.keys}
          head={head}
          onContainer={virtualizer.containerRef}
          onRow={virtualizer.measureElement}
        />
      </div>
      {away && <EndPill unseen={unseen} onClick={toEnd} />}
    </div>
  );
};
