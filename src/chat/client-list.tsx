import { memo } from 'react';
import { NavLink } from 'react-router';

import { toClientPath } from '#domain/routes.ts';
import { toInitials } from '#domain/rules/initials.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { InitialsAvatar } from '#src/feedback/initials-avatar.tsx';

import classes from './client-list.module.css';

const AVATAR_PX = 40;

/** One link per client; its accessible name is the client's full name and nothing else. */
export const ClientList = memo(({ teams }: { readonly teams: readonly Team[] }) => (
  <ul className={classes['list']}>
    {teams.map((team) => {
      const name = toFullName(team);
      return (
        <li key={team.client_id} className={classes['item']}>
          <NavLink
            to={toClientPath(team.client_id)}
            className={classes['link'] ?? ''}
            data-hover-label={name}
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
          </NavLink>
        </li>
      );
    })}
  </ul>
));
