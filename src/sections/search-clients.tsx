import { useContext, useMemo } from 'react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { useVisited } from '#db/hooks/use-visited.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toRoomPath } from '#domain/routes.ts';
import { findLastRoom } from '#domain/rules/room-navigation.ts';
import { toFullName } from '#domain/schemas/team.ts';
import { findClients } from '#domain/text/client-hits.ts';
import { filterTeams } from '#domain/text/search.ts';
import { Link } from '#src/ui/address.tsx';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { UnreadContext } from '#src/ui/page-frame.ts';

import classes from './search-results.module.css';

const AVATAR_PX = 32;
const SHOWN_MAX = 5;
const NOT_VISITED: readonly RoomKey[] = [];

/** Clients whose names match, each a link to the room last used: phones have no palette. */
export const SearchClients = ({
  text,
  onChoose,
}: {
  readonly text: string;
  readonly onChoose: () => void;
}) => {
  const teams = useTeams();
  const visited = useVisited() ?? NOT_VISITED;
  const unread = useContext(UnreadContext);
  const hits = useMemo(
    () => findClients(filterTeams(teams ?? [], text), text, { unread, visited }, SHOWN_MAX),
    [teams, text, unread, visited],
  );
  if (hits.length === 0) return null;
  return (
    <ul aria-label="Clients" className={classes['clients']}>
      {hits.map(({ team }) => (
        <li key={team.client_id}>
          <Link
            to={toRoomPath(findLastRoom(team.client_id, visited))}
            className={classes['link']}
            onClick={onChoose}
          >
            <InitialsAvatar
              name={toFullName(team)}
              seed={team.client_id}
              shape="round"
              size={AVATAR_PX}
            />
            <bdi className={classes['client']}>{toFullName(team)}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
};
