import type { RefObject } from 'react';
import { Menu } from '@mantine/core';
import { IconAlarm, IconCopy, IconLink, IconMail } from '@tabler/icons-react';

import { useCatchUp } from '#db/hooks/use-catch-up.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toMessagePath } from '#domain/queries.ts';
import { previousTimetoken, type Timetoken } from '#domain/timetoken.ts';
import { useMessageCommands } from '#src/actors/desk.ts';
import { ActionMenu } from '#src/ui/mantine/action-menu.tsx';
import { beingMarked } from '#src/ui/page-frame.ts';
import { copy } from '#src/ui/toasts/copy.ts';
import { showFailure } from '#src/ui/toasts/show-failure.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';
import { useOpenRoom } from '#src/ui/use-open-room.ts';

import { requestReminder } from '../follow-up/reminder-request.ts';
import classes from './message-actions.module.css';
import type { ThreadRow } from './thread-row.ts';

/** The message and everything after it count as unread until the user comes back to the room. */
const useMarkUnread = () => {
  const { markUnread } = useMessageCommands();
  const catchUp = useCatchUp();
  return async (room: RoomKey, at: Timetoken): Promise<void> => {
    beingMarked.push(room);
    try {
      const marked = await markUnread(new Map([[room, { from: previousTimetoken(at) }]]));
      showFailure(marked);
      if (marked.ok) showToast('info', 'Marked as unread from this message.');
      await catchUp();
    } finally {
      beingMarked.splice(beingMarked.indexOf(room), 1);
    }
  };
};

const MessageMenu = ({
  row,
  onClose,
  button,
}: {
  readonly row: ThreadRow;
  readonly onClose: () => void;
  readonly button: RefObject<HTMLButtonElement | null>;
}) => {
  const { readable, text, at, own } = row;
  const room = useOpenRoom();
  const markUnread = useMarkUnread();
  const followUp = (place: RoomKey): void => {
    const [line = ''] = text.trim().split('\n', 1);
    requestReminder({ room: place, at: at || undefined, line, button: button.current });
  };
  const copyLink = (place: RoomKey, position: Timetoken): void =>
    void copy(window.location.origin + toMessagePath(place, position), 'Link copied.');
  return (
    <ActionMenu
      label="Message actions"
      isOpen
      onChange={onClose}
      button={button}
      position="bottom-end"
      offset={4}
      className={classes['menu']}
      // The target is under the button, which stays as it is.
      target={<span aria-hidden className={classes['target']} />}
    >
      {readable && (
        <Menu.Item
          leftSection={<IconCopy size={18} stroke={1.6} aria-hidden />}
          onClick={() => void copy(text, 'Copied.')}
        >
          Copy text
        </Menu.Item>
      )}
      {room !== undefined && at !== '' && (
        <Menu.Item
          leftSection={<IconLink size={18} stroke={1.6} aria-hidden />}
          onClick={() => copyLink(room, at)}
        >
          Copy link
        </Menu.Item>
      )}
      {room !== undefined && at !== '' && !own && (
        <Menu.Item
          leftSection={<IconMail size={18} stroke={1.6} aria-hidden />}
          onClick={() => void markUnread(room, at)}
        >
          Mark unread
        </Menu.Item>
      )}
      {room !== undefined && at !== '' && (
        <Menu.Item
          leftSection={<IconAlarm size={18} stroke={1.6} aria-hidden />}
          onClick={() => followUp(room)}
        >
          Remind me
        </Menu.Item>
      )}
    </ActionMenu>
  );
};

export default MessageMenu;
