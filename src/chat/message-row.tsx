import { memo } from 'react';
import { toInitials } from '#domain/rules/initials.ts';
import { InitialsAvatar } from '#src/feedback/initials-avatar.tsx';
import { loadApart } from '#src/feedback/load-apart.tsx';

import classes from './message-row.module.css';
import { MessageState } from './message-state.tsx';
import { MessageText } from './message-text.tsx';
import { isSameRow, type ThreadRow } from './thread-row.ts';

/** Most rooms never show one. Without its chunk the row still says what happened. */
const FailedMessage = loadApart(
  () => import('./failed-message.tsx'),
  () => <p>Not sent</p>,
);

const AVATAR_PX = 36;

const ROLE_LABELS = { own: 'You', client: 'Client', staff: undefined, other: undefined } as const;

const Header = ({ row }: { readonly row: ThreadRow }) => {
  const role = ROLE_LABELS[row.role];
  return (
    <div className={classes['header']}>
      <span className={classes['name']} dir="auto">
        {row.name}
      </span>
      {role !== undefined && <span className={classes['role']}>{role}</span>}
      <time className={classes['time']} dateTime={row.iso}>
        <span>{row.label}</span>
        {!row.label.endsWith(row.time) && <span> {row.time}</span>}
      </time>
    </div>
  );
};

const Gutter = ({ row, headed }: { readonly row: ThreadRow; readonly headed: boolean }) =>
  headed ? (
    <InitialsAvatar
      initials={toInitials(row.name)}
      seed={row.seed}
      shape={row.role === 'client' ? 'round' : 'square'}
      size={AVATAR_PX}
    />
  ) : (
    <time className={classes['aside']} dateTime={row.iso} title={row.label}>
      {row.time}
    </time>
  );

/** One message; the header stands above the first of a sender's succession only (spec §4). */
export const MessageRow = memo(
  ({ row, headed }: { readonly row: ThreadRow; readonly headed: boolean }) => (
    <div
      role="listitem"
      className={classes['root']}
      data-message-id={row.id}
      data-state={row.state}
      data-own={row.own || undefined}
      data-role={row.role}
      data-headed={headed || undefined}
    >
      <div className={classes['gutter']}>
        <Gutter row={row} headed={headed} />
      </div>
      <div className={classes['body']}>
        {headed && <Header row={row} />}
        <div className={classes['line']}>
          <div className={classes['text']} data-readable={row.readable} dir="auto">
            {row.readable ? <MessageText text={row.text} /> : "This message can't be shown here."}
          </div>
          <MessageState state={row.state} />
        </div>
        {row.state === 'failed' && (
          <FailedMessage id={row.id} text={row.text} reason={row.reason} />
        )}
      </div>
    </div>
  ),
  (before, after) => before.headed === after.headed && isSameRow(before.row, after.row),
);
