import type { RefObject } from 'react';
import { Menu } from '@mantine/core';
import { IconCopy, IconLink } from '@tabler/icons-react';

import { toRoomKey } from '#domain/rooms.ts';
import { toMessagePath } from '#domain/queries.ts';
import { parseChatPlace } from '#domain/routes.ts';
import { useChatIds } from '#src/ui/address.tsx';
import { ActionMenu } from '#src/ui/mantine/action-menu.tsx';

import { copy } from './copy.ts';
import classes from './message-actions.module.css';
import type { ThreadRow } from './thread-row.ts';

/** The address of a sent message in the open room. */
const useMessageUrl = ({ at }: ThreadRow): string | undefined => {
  const ids = useChatIds();
  const place = ids && parseChatPlace(ids);
  if (place?.kind !== 'room' || at === '') return undefined;
  return window.location.origin + toMessagePath(toRoomKey(place.clientId, place.roomId), at);
};

/** What can be done with a message. */
const MessageMenu = ({
  row,
  onClose,
  button,
}: {
  readonly row: ThreadRow;
  readonly onClose: () => void;
  readonly button: RefObject<HTMLButtonElement | null>;
}) => {
  const url = useMessageUrl(row);
  return (
    <ActionMenu
      label="Message actions"
      isOpen
      onChange={onClose}
      button={button}
      position="bottom-end"
      offset={4}
      className={classes['menu']}
      // Under the button, which stays as it is.
      target={<span aria-hidden className={classes['target']} />}
    >
      {row.readable && (
        <Menu.Item
          leftSection={<IconCopy size={18} stroke={1.6} aria-hidden />}
          onClick={() => void copy(row.text, 'Copied.')}
        >
          Copy text
        </Menu.Item>
      )}
      {url !== undefined && (
        <Menu.Item
          leftSection={<IconLink size={18} stroke={1.6} aria-hidden />}
          onClick={() => void copy(url, 'Link copied.')}
        >
          Copy link
        </Menu.Item>
      )}
    </ActionMenu>
  );
};

export default MessageMenu;
