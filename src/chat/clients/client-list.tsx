import { memo } from 'react';
import { NavLink } from 'react-router';

import { toClientPath } from '#domain/routes.ts';
import { toInitials } from '#domain/text/initials.ts';
import { sumClientUnread, type UnreadByRoom } from '#domain/rules/unread.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { toUnreadDescription, UnreadBadge } from '#src/ui/unread-badge.tsx';

import classes from './client-list.module.css';

const AVATAR_PX = 40;

/** Its accessible name is only the client's full name. */
const ClientLink = memo(({ team, unread }: { readonly team: Team; readonly unread: number }) => {
  const name = toFullName(team);
  return (
    <NavLink
      to={toClientPath(team.client_id)}
      className={classes['link'] ?? ''}
      data-hover-label={name}
      data-unread={unread > 0 || undefined}
      aria-description={toUnreadDescription(unread)}
    >
      <InitialsAvatar
        initials={toInitials(name)}
        seed={team.client_id}
        shape="round"
        size={AVATAR_PX}
      />
      <span className={classes['name']} dir="auto">
        {name}
      </span>
      <span className={classes['badge']}>
        <UnreadBadge count={unread} />
      </span>
    </NavLink>
  );
});

/** One link per client, with the unread messages of all three rooms. */
export const ClientList = memo(
  ({ teams, unread }: { readonly teams: readonly Team[]; readonly unread: UnreadByRoom }) => (
    <ul className={classes['list']}>
      {teams.map((team) => (
        <li key={team.client_id} className={classes['item']}>
          <ClientLink team={team} unread={sumClientUnread(unread, team.client_id)} />
        </li>
      ))}
    </ul>
  ),
);
