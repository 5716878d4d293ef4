import { ROOM_TITLES, type RoomId } from '#domain/rooms.ts';
import { toInitials } from '#domain/text/initials.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';

import classes from './room-header.module.css';

const AVATAR_PX = 32;

/** The client and room; visually hidden where the bar or the tabs already show them. */
export const RoomHeader = ({ team, roomId }: { readonly team: Team; readonly roomId: RoomId }) => {
  const name = toFullName(team);
  return (
    <header className={classes['root']}>
      <InitialsAvatar
        initials={toInitials(name)}
        seed={team.client_id}
        shape="round"
        size={AVATAR_PX}
      />
      <h1 className={classes['title']}>
        <bdi className={classes['name']}>{name}</bdi>
        <span className={classes['room']}>{ROOM_TITLES[roomId]}</span>
      </h1>
    </header>
  );
};
