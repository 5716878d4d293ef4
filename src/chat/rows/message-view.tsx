import { memo, useMemo } from 'react';
import { IconClock, IconLoader2 } from '@tabler/icons-react';

import { findChatIds } from '#domain/routes.ts';
import type { SenderRole } from '#domain/rules/sender.ts';
import { splitLinks } from '#domain/text/links.ts';
import { openLink } from '#src/ui/address.tsx';
import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { toAsciiHost } from '#src/ui/text/to-ascii-host.ts';

import classes from './message-view.module.css';
import type { MessageState, ThreadRow } from './thread-row.ts';

const toPlacedParts = (text: string) => {
  let end = 0;
  return splitLinks(text, toAsciiHost).map((part) => {
    const start = end;
    end += part.text.length;
    return { start, part };
  });
};

const AWAY = { target: '_blank', rel: 'noopener noreferrer nofollow' };

/** Whether an address is one of this installation's conversations, which open in place. */
const isHere = (href: string): boolean =>
  href.startsWith(`${window.location.origin}/`) &&
  findChatIds(new URL(href).pathname) !== undefined;

/** Text of a message with its links, which send no referrer to other sites. */
const MessageText = memo(({ text }: { readonly text: string }) => {
  const parts = useMemo(() => toPlacedParts(text), [text]);
  return parts.map(({ start, part: { text: plain, link } }) =>
    link === undefined ? (
      plain
    ) : (
      <a key={start} href={link.href} {...(isHere(link.href) ? { onClick: openLink } : AWAY)}>
        {link.shown}
      </a>
    ),
  );
});

/** The state of the user's unsent message; nothing once it is sent. */
const StateMark = ({ state }: { readonly state: MessageState }) => {
  if (state !== 'queued' && state !== 'sending') return undefined;
  const [Icon, text] = state === 'queued' ? [IconClock, 'Queued'] : [IconLoader2, 'Sending'];
  return (
    <span className={classes['state']}>
      <Icon size={14} aria-hidden /> <span>{text}</span>
    </span>
  );
};

/** Most rooms never show one. Without its chunk the row still shows that the message failed. */
const FailedMessage = lazyComponent(
  () => import('./failed-message.tsx'),
  () => <p>Not sent</p>,
);

/** Without its chunk a message has no actions and no quotes. */
const MessageActions = deferredComponent(() => import('./message-actions.tsx'));

const AVATAR_PX = 36;

/** The mark beside a sender's name, and its meaning. */
const CHIPS: Record<SenderRole, { readonly text: string; readonly meaning?: string }> = {
  own: { text: 'You' },
  staff: { text: 'Staff' },
  client: { text: 'Client' },
  unknown: {
    text: 'Unverified',
    meaning: 'Not on your staff list, and not this client. The sender chose this name.',
  },
  unchecked: {
    text: 'Not checked yet',
    meaning: "The staff list hasn't loaded yet. The sender chose this name.",
  },
};

const Header = ({ row }: { readonly row: ThreadRow }) => {
  const { text, meaning } = CHIPS[row.role];
  return (
    <div className={classes['header']}>
      <span className={classes['name']} dir="auto">
        {row.name}
      </span>
      <span className={classes['role']} title={meaning}>
        {text}
        {meaning !== undefined && <span className="visually-hidden"> {meaning}</span>}
      </span>
      <time className={classes['time']} dateTime={row.iso}>
        <span>{row.label}</span>
        {!row.label.endsWith(row.time) && <span>, {row.time}</span>}
      </time>
    </div>
  );
};

const Gutter = ({ row, headed }: { readonly row: ThreadRow; readonly headed: boolean }) => {
  if (!headed) {
    return (
      <time
        className={classes['aside']}
        dateTime={row.iso}
        title={row.label}
        data-repeats={row.repeatsTime || undefined}
      >
        {row.time}
      </time>
    );
  }
  // Only known senders get initials and a tint.
  return row.seed === '' ? (
    <span aria-hidden className={classes['unknown']} />
  ) : (
    <InitialsAvatar
      name={row.name}
      seed={row.seed}
      shape={row.role === 'client' ? 'round' : 'square'}
      size={AVATAR_PX}
    />
  );
};

interface MessageProps {
  readonly row: ThreadRow;
  readonly headed: boolean;
  /** The address names it. */
  readonly marked: boolean;
}

/**
 * One message; only the first of a group shows the header (spec §4). A row without changes is the
 * same object (compose-rows.ts).
 */
export const MessageView = memo(({ row, headed, marked }: MessageProps) => (
  <div
    role="listitem"
    tabIndex={marked ? -1 : undefined}
    aria-current={marked || undefined}
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
          <MessageText text={row.text} />
        </div>
        <StateMark state={row.state} />
      </div>
      {row.state === 'failed' && <FailedMessage id={row.id} text={row.text} reason={row.reason} />}
    </div>
    <MessageActions row={row} />
  </div>
));
