import { type MouseEvent, type ReactNode, useId } from 'react';
import {
  IconAlarm,
  IconArrowBackUp,
  IconCheck,
  IconCopy,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';

import { usePrepareRoom } from '#db/hooks/use-prepare.ts';
import { ROOM_TITLES, splitRoomKey } from '#domain/rooms.ts';
import { toFullName } from '#domain/schemas/team.ts';
import { toRoomName } from '#domain/room-name.ts';
import { LineBody } from '#src/chat/inbox/line-body.tsx';
import { Link } from '#src/ui/address.tsx';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { copy } from '#src/ui/toasts/copy.ts';
import { toUnreadDescription } from '#src/ui/unread-badge.tsx';

import classes from './entry-row.module.css';
import { type Entry, joinOwnTexts } from './sections.ts';

const AVATAR_PX = 40;

/** "Maya Okafor · Team" */
export const toEntryName = ({ team, room }: Entry): string => toRoomName(room, toFullName(team));

interface FollowUpProps {
  readonly onDone: (entry: Entry) => void;
  /** Opens the dialog with all follow-up actions. */
  readonly onFollowUp: (entry: Entry) => void;
}

/**
 * When its row leaves, a button is under the pointer that belongs to the next row: only the first
 * click of a double click counts.
 */
const onFirstClick =
  (run: () => void) =>
  ({ detail }: MouseEvent): void => {
    if (detail <= 1) run();
  };

/** The buttons that take a waiting room off the list without an answer. */
const FollowUpButtons = ({
  entry,
  onDone,
  onFollowUp,
}: FollowUpProps & { readonly entry: Entry }) => {
  if (entry.summary === undefined) return null;
  const roomName = toEntryName(entry);
  return (
    <>
      <button
        type="button"
        className={classes['action']}
        aria-label={`Done in ${roomName}`}
        title="Done, no reply needed (E)"
        onClick={onFirstClick(() => onDone(entry))}
      >
        <IconCheck size={18} aria-hidden />
      </button>
      <button
        type="button"
        className={classes['action']}
        aria-label={`Follow up in ${roomName}`}
        title="Follow up: done, or remind me"
        aria-haspopup="dialog"
        onClick={() => onFollowUp(entry)}
      >
        <IconAlarm size={18} aria-hidden />
      </button>
    </>
  );
};

interface ReplyProps {
  readonly entry: Entry;
  /** Its reply field is open. */
  readonly isOpen: boolean;
  readonly onReply: (id: string) => void;
  readonly onRetry: (ids: readonly string[]) => void;
  readonly onDelete: (entry: Entry) => void;
}

/** The button that answers, or sends again; a removed client's texts can be copied and deleted. */
const ReplyButton = ({
  entry,
  isOpen,
  panel,
  onReply,
  onRetry,
  onDelete,
}: ReplyProps & { readonly panel: string }) => {
  const { id, failed, toCopy } = entry;
  const roomName = toEntryName(entry);
  const isRefused = failed.length > 0;
  if (toCopy.length > 0) {
    return (
      <>
        <button
          type="button"
          className={classes['action']}
          aria-label={`Delete the text to ${roomName}`}
          title="Delete"
          onClick={onFirstClick(() => onDelete(entry))}
        >
          <IconTrash size={18} aria-hidden />
        </button>
        <button
          type="button"
          className={classes['action']}
          aria-label={`Copy the text to ${roomName}`}
          title="Copy the text"
          onClick={() => void copy(joinOwnTexts(toCopy), 'Copied.')}
        >
          <IconCopy size={18} aria-hidden />
        </button>
      </>
    );
  }
  return (
    <button
      type="button"
      className={classes['action']}
      aria-label={`${isRefused ? 'Retry in' : 'Reply to'} ${roomName}`}
      title={isRefused ? 'Try sending again' : 'Reply here'}
      aria-expanded={isRefused ? undefined : isOpen}
      aria-controls={isOpen ? panel : undefined}
      onClick={onFirstClick(() => (isRefused ? onRetry(failed) : onReply(id)))}
    >
      {isRefused ? (
        <IconRefresh size={18} aria-hidden />
      ) : (
        <IconArrowBackUp size={18} aria-hidden />
      )}
    </button>
  );
};

/** The link to a room, and the actions available here: an answer, or another attempt. */
export const EntryRow = ({
  entry,
  isOpen,
  onReply,
  onRetry,
  onDelete,
  children,
  ...followUp
}: FollowUpProps & ReplyProps & { readonly children: ReactNode }) => {
  const { id, room, path, team, lead, text, kind, time, wait, unread, assignee, isLater } = entry;
  const prepare = usePrepareRoom();
  const panel = useId();
  const name = toFullName(team);
  const said = lead === '' ? text : `${lead}: ${text}`;
  const when = isLater ? `reminder: ${time}` : time.replace('Due', 'due');
  const use = (): void => prepare(room);
  return (
    <li className={classes['root']}>
      <div className={classes['row']}>
        <Link
          to={path}
          className={classes['link'] ?? ''}
          data-later={isLater || undefined}
          aria-description={toUnreadDescription(unread, said, when, wait && `waiting ${wait}`)}
          onPointerDown={use}
          onFocus={use}
          data-entry={id}
        >
          <InitialsAvatar name={name} seed={team.client_id} shape="round" size={AVATAR_PX} />
          <LineBody
            name={name}
            title={[ROOM_TITLES[splitRoomKey(room).roomId], assignee].filter(Boolean).join(' · ')}
            unread={unread}
            time={time}
            // The open reply field has the whole message above it.
            {...(isOpen ? {} : { lead, text, kind, wait })}
          />
        </Link>
        <FollowUpButtons entry={entry} {...followUp} />
        <ReplyButton
          entry={entry}
          isOpen={isOpen}
          panel={panel}
          onReply={onReply}
          onRetry={onRetry}
          onDelete={onDelete}
        />
      </div>
      {isOpen && <div id={panel}>{children}</div>}
    </li>
  );
};
