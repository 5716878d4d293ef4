import { ROOM_IDS, ROOM_TITLES, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { toRoomPath } from '#domain/routes.ts';
import { toInitials } from '#domain/text/initials.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { Link } from '#src/ui/address.tsx';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { toUnreadDescription, UnreadBadge } from '#src/ui/unread-badge.tsx';

import classes from './unread-rooms.module.css';

/** Chat shows more than these. */
const SHOWN_MAX = 6;
const AVATAR_PX = 32;

interface UnreadRoom {
  readonly room: RoomKey;
  readonly name: string;
  readonly title: string;
  readonly clientId: string;
  readonly count: number;
}

const toUnreadRooms = (teams: readonly Team[], unread: UnreadByRoom): readonly UnreadRoom[] =>
  teams.flatMap((team) =>
    ROOM_IDS.flatMap((roomId) => {
      const room = toRoomKey(team.client_id, roomId);
      const count = unread.get(room)?.count;
      if (count === undefined) return [];
      const { client_id: clientId } = team;
      return [{ room, name: toFullName(team), title: ROOM_TITLES[roomId], clientId, count }];
    }),
  );

/** The unread rooms in the order of the clients, each as a link. */
export const UnreadRooms = ({
  teams,
  unread,
}: {
  readonly teams: readonly Team[];
  readonly unread: UnreadByRoom;
}) => {
  const rooms = toUnreadRooms(teams, unread).slice(0, SHOWN_MAX);
  if (rooms.length === 0) return null;
  return (
    <ul aria-label="Unread" className={classes['root']}>
      {rooms.map(({ room, name, title, clientId, count }) => (
        <li key={room}>
          <Link
            to={toRoomPath(room)}
            className={classes['link'] ?? ''}
            aria-description={toUnreadDescription(count)}
          >
            <InitialsAvatar
              initials={toInitials(name)}
              seed={clientId}
              shape="round"
              size={AVATAR_PX}
            />
            <span className={classes['name']} dir="auto">
              {name}
            </span>
            <span className={classes['room']}>{title}</span>
            <UnreadBadge count={count} />
          </Link>
        </li>
      ))}
    </ul>
  );
};
