import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';

import type { HistoryView } from '#src/actors/desk.ts';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

import classes from './thread.module.css';
import type { Reading } from './reading.ts';
import { useThreadScroll } from './use-thread-scroll.ts';
import type { Jump } from '../linked/find-linked.ts';
import type { ThreadRow } from '../rows/thread-row.ts';
import { ThreadRows } from '../rows/thread-rows.tsx';
import { usePinnedRow } from './use-pinned-row.ts';
import { useStickyHeaders } from './use-sticky-headers.ts';

/** Few rooms open with this many new messages; without its chunk they can still be scrolled to. */
const JumpToUnread = lazyComponent(
  () => import('./jump-to-unread.tsx'),
  () => null,
);

/** A thread opens at its end; without this chunk, scrolling leads back there. */
const EndPill = lazyComponent(
  () => import('./end-pill.tsx'),
  () => null,
);

interface ThreadProps {
  readonly rows: readonly ThreadRow[];
  readonly jump: Jump | undefined;
  readonly history: HistoryView;
  readonly reading: Reading;
  /** Shown above the first message. */
  readonly head: ReactNode;
}

/** The messages of a room, oldest first; only those near the visible part are in the DOM. */
export const Thread = ({ rows, jump, history, reading, head }: ThreadProps) => {
  const scroller = useRef<HTMLDivElement>(null);
  const sticky = useStickyHeaders(rows);
  const scroll = useThreadScroll(rows, scroller, reading.onVisibleRange);
  const { virtualizer, away, toEnd } = scroll;
  usePinnedRow(virtualizer, rows, sticky.pinnedKey);
  const goTo = useEffectEvent((key: string) => {
    scroll.showRow(
      rows.findIndex((row) => row.key === key),
      'center',
    );
  });
  useLayoutEffect(() => {
    if (jump !== undefined) goTo(jump.key);
  }, [jump]);
  return (
    <div className={classes['root']}>
      <div
        ref={scroller}
        role="region"
        aria-label="Messages"
        tabIndex={0}
        className={classes['scroller']}
        onScrollCapture={scroll.onScrollFirst}
        onScroll={() => {
          scroll.onScroll();
          sticky.releaseHidden(scroll.isVisible);
        }}
      >
        <ThreadRows
          items={virtualizer.getVirtualItems()}
          rows={rows}
          headed={sticky.keys}
          marked={jump?.isLinked === true ? jump.key : undefined}
          head={head}
          onContainer={virtualizer.containerRef}
          onRow={virtualizer.measureElement}
        />
      </div>
      {reading.above && (
        <JumpToUnread
          above={reading.above}
          history={history}
          firstKey={rows[0]?.key}
          showRow={scroll.showRow}
          onRead={reading.markAllRead}
        />
      )}
      {away && <EndPill unseen={scroll.unseen} onClick={toEnd} />}
    </div>
  );
};
