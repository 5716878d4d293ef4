import type { ReactNode } from 'react';
import type { VirtualItem } from '@tanstack/react-virtual';

import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

import { MessageView } from './message-view.tsx';
import { NewLine } from './new-line.tsx';
import classes from './thread-rows.module.css';
import type { ThreadRow } from './thread-row.ts';

/** Few threads have gaps; without its chunk, gaps are not visible until they are filled. */
const GapLine = lazyComponent(
  () => import('./gap-line.tsx'),
  () => null,
);

type Element = HTMLDivElement | null;

/** The rows in and near the visible part, each in its position; `headed` rows keep their header. */
export const ThreadRows = ({
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
