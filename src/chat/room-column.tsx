import { NavLink } from 'react-router';
import { IconHash } from '@tabler/icons-react';

import { ROOM_IDS, ROOM_TITLES, toRoomKey } from '#domain/rooms.ts';
import { toRoomPath } from '#domain/routes.ts';
import type { Team } from '#domain/schemas/team.ts';

import classes from './room-column.module.css';

/** "{first name} Rooms" and the three links: a column, or tabs above the thread. */
export const RoomColumn = ({ team }: { readonly team: Team }) => (
  <nav aria-label="Rooms" className={classes['root']}>
    <h2 className={classes['title']}>{team.client.first_name} Rooms</h2>
    <ul className={classes['list']}>
      {ROOM_IDS.map((roomId) => (
        <li key={roomId}>
          <NavLink
            to={toRoomPath(toRoomKey(team.client_id, roomId))}
            className={classes['link'] ?? ''}
          >
            <IconHash className={classes['icon']} size={18} stroke={1.8} aria-hidden />
            {ROOM_TITLES[roomId]}
          </NavLink>
        </li>
      ))}
    </ul>
  </nav>
);
