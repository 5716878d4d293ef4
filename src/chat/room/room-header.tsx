import type { ReactNode } from 'react';

import { ROOM_TITLES, type RoomId } from '#domain/rooms.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';

import classes from './room-header.module.css';

const AVATAR_PX = 32;

/**
 * The client, the room and the operator's description of it. Where the bar or the tabs already show
 * the first two, only the description is visible, on a line of its own.
 */
export const RoomHeader = ({
  team,
  roomId,
  description,
  children,
}: {
  readonly team: Team;
  readonly roomId: RoomId;
  readonly description: string | undefined;
  readonly children: ReactNode;
}) => {
  const name = toFullName(team);
  return (
    <header className={classes['root']}>
      <div className={classes['place']}>
        <InitialsAvatar name={name} seed={team.client_id} shape="round" size={AVATAR_PX} />
        <h1 className={classes['title']}>
          <bdi className={classes['name']}>{name}</bdi>
          <span className={classes['room']}>{ROOM_TITLES[roomId]}</span>
        </h1>
      </div>
      {description !== undefined && (
        <p className={classes['description']} title={description}>
          {description}
        </p>
      )}
      {children}
    </header>
  );
};
