import { Menu } from '@mantine/core';
import { IconCopy, IconLink } from '@tabler/icons-react';

import { toRoomKey } from '#domain/rooms.ts';
import { toMessagePath } from '#domain/queries.ts';
import { parseChatPlace } from '#domain/routes.ts';
import { useChatIds } from '#src/ui/address.tsx';
import { withMantine } from '#src/ui/mantine.tsx';

import { copy } from './copy.ts';
import classes from './message-actions.module.css';
import type { ThreadRow } from './thread-row.ts';

/** Inside a landmark, so that landmark navigation reaches the menu, too. */
const PORTAL = { target: '#main' };

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
}: {
  readonly row: ThreadRow;
  readonly onClose: () => void;
}) => {
  const url = useMessageUrl(row);
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-end"
      offset={4}
      withInitialFocusPlaceholder={false}
      portalProps={PORTAL}
    >
      <Menu.Target>
        {/* Under the button, which stays as it is. */}
        <span aria-hidden className={classes['target']} />
      </Menu.Target>
      <Menu.Dropdown aria-label="Message actions" className={classes['menu'] ?? ''}>
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
      </Menu.Dropdown>
    </Menu>
  );
};

export default withMantine(MessageMenu);
