import type { ReactNode } from 'react';

import { UnreadBadge } from '#src/ui/unread-badge.tsx';

import classes from './line-body.module.css';
import type { Line } from './use-lines.ts';

/**
 * The text beside the avatar of a row: the name, and below it the latest text. Everything but the
 * name and the room is in the description of the link around it.
 */
export const LineBody = ({
  name,
  title,
  marks,
  unread,
  lead,
  text,
  kind,
  time,
  wait,
}: Partial<Line> & {
  readonly name: string;
  /** The title of the room, in a list of rooms. */
  readonly title?: string;
  /** The marks of a pinned and a muted client. */
  readonly marks?: ReactNode;
  readonly unread: number;
}) => (
  <span className={classes['root']}>
    <span className={classes['line']}>
      <span className={classes['name']} dir="auto" title={name}>
        {name}
      </span>
      {title && <span className={classes['title']}>{title}</span>}
      {marks}
      <span className={classes['time']} aria-hidden>
        {time}
      </span>
    </span>
    {(text !== undefined || unread > 0) && (
      <span className={classes['line']} aria-hidden>
        {/* The text alone decides the direction, and with it which end is cut off. */}
        <span className={classes['preview']} data-kind={kind} dir="auto">
          {lead && (
            <>
              <bdi className={classes['lead']}>{lead}</bdi>:{' '}
            </>
          )}
          {text}
        </span>
        {wait && <span className={classes['wait']}>{wait}</span>}
        <UnreadBadge count={unread} />
      </span>
    )}
  </span>
);
