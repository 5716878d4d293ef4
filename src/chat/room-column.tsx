import { NavLink } from 'react-router';
import { IconHash } from '@tabler/icons-react';

import { ROOM_IDS, ROOM_TITLES, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { toRoomPath } from '#domain/routes.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { type Team, toFirstName } from '#domain/schemas/team.ts';
import { toUnreadDescription, UnreadBadge } from '#src/feedback/unread-badge.tsx';

import classes from './room-column.module.css';

const RoomLink = ({
  room,
  title,
  unread,
}: {
  readonly room: RoomKey;
  readonly title: string;
  readonly unread: number;
}) => (
  <NavLink
    to={toRoomPath(room)}
    className={classes['link'] ?? ''}
    data-unread={unread > 0 || undefined}
    aria-description={toUnreadDescription(unread)}
  >
    <IconHash className={classes['icon']} size={18} stroke={1.8} aria-hidden />
    <span className={classes['name']}>{title}</span>
    <UnreadBadge count={unread} />
  </NavLink>
);

/** "{first name} Rooms" and the three links: a column, or tabs above the thread. */
export const RoomColumn = ({
  team,
  unread,
}: {
  readonly team: Team;
  readonly unread: UnreadByRoom;
}) => (
  <nav aria-label="Rooms" className={classes['root']}>
    <h2 className={classes['title']}>
      <bdi>{toFirstName(team)}</bdi> Rooms
    </h2>
    <ul className={classes['list']}>
      {ROOM_IDS.map((roomId) => {
        const room = toRoomKey(team.client_id, roomId);
        return (
          <li key={roomId}>
            <RoomLink
              room={room}
              title={ROOM_TITLES[roomId]}
              unread={unread.get(room)?.count ?? 0}
            />
          </li>
        );
      })}
    </ul>
  </nav>
);
