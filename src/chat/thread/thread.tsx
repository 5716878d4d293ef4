import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { VirtualItem } from '@tanstack/react-virtual';

import type { HistoryView } from '#src/actors/desk.ts';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

import classes from './thread.module.css';
import type { Reading } from './reading.ts';
import { useThreadScroll } from './use-thread-scroll.ts';
import type { Jump } from '../linked/find-linked.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import { useStickyHeaders } from './use-sticky-headers.ts';
import { MessageView } from '../rows/message-view.tsx';
import { NewLine } from './thread-head.tsx';
import type { ThreadRow } from '../rows/thread-row.ts';

/** Few threads have gaps; without its chunk, gaps are not visible until they are filled. */
const GapLine = lazyComponent(() => import('../rows/gap-line.tsx'), null);

type Element = HTMLDivElement | null;

/** The rows in and near the visible part, each in its position; `headed` rows keep their header. */
const ThreadRows = ({
  items,
  rows,
  headed,
  marked,
  head,
  onContainer,
  onRow,
}: {
  readonly items: readonly VirtualItem[];
  readonly rows: readonly ThreadRow[];
  readonly headed: ReadonlySet<string>;
  /** Key of the row that the address names. */
  readonly marked: string | undefined;
  readonly head: ReactNode;
  readonly onContainer: (element: Element) => void;
  readonly onRow: (element: Element) => void;
}) => (
  <div className={classes['column']} ref={onContainer}>
    {head}
    <div role="list">
      {items.map(({ key, index }) => {
        const row = rows[index];
        return row === undefined ? undefined : (
          <div key={key} ref={onRow} data-index={index} className={classes['row']}>
            <MessageView
              row={row}
              headed={row.startsGroup || headed.has(row.key)}
              marked={row.key === marked}
            />
            {row.gap !== '' && <GapLine state={row.gap} />}
            {row.nextDay !== '' && (
              <p className={classes['day']} data-day>
                {row.nextDay}
              </p>
            )}
            {row.newAfter && (
              <div role="listitem">
                <NewLine />
              </div>
            )}
          </div>
        );
      })}
    </div>
  </div>
);

/** Few rooms open with this many new messages; without its chunk they can still be scrolled to. */
const JumpToUnread = lazyComponent(() => import('./jump-to-unread.tsx'), null);

/** A thread opens at its end; without this chunk, scrolling leads back there. */
const EndPill = lazyComponent(() => import('./end-pill.tsx'), null);

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
  useScrollAnchor(virtualizer, rows, sticky.anchorKey);
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
