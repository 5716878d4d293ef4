import { type ComponentProps, memo, startTransition, useEffect, useMemo, useState } from 'react';

import { usePrepareClient } from '#db/hooks/use-prepare.ts';
import { toClientPath } from '#domain/routes.ts';
import { toInitials } from '#domain/text/initials.ts';
import { sumByClient, type UnreadByRoom } from '#domain/rules/unread.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { openLink, useChatIds } from '#src/ui/address.tsx';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { toUnreadDescription, UnreadBadge } from '#src/ui/unread-badge.tsx';

import classes from './client-list.module.css';

const AVATAR_PX = 40;
/** Clients rendered at once: more than a window shows. */
const CLIENTS_FIRST = 60;
/** Clients added at a time, until all of them are there. */
const CLIENTS_ADDED = 200;

/** It renders only when its client changes: its handlers are the same for all links. */
const PlainLink = ({ children, ...rest }: ComponentProps<'a'>) => <a {...rest}>{children}</a>;

/** Its accessible name is only the client's full name. */
const ClientLink = memo(
  ({
    team,
    unread,
    current,
    onPrepare,
  }: {
    readonly team: Team;
    readonly unread: number;
    readonly current: boolean;
    readonly onPrepare: (clientId: string) => void;
  }) => {
    const name = toFullName(team);
    const prepare = (): void => onPrepare(team.client_id);
    return (
      <li className={classes['item']}>
        <PlainLink
          href={toClientPath(team.client_id)}
          className={classes['link']}
          data-hover-label={name}
          data-unread={unread > 0 || undefined}
          aria-description={toUnreadDescription(unread)}
          aria-current={current ? 'page' : undefined}
          onClick={openLink}
          onPointerDown={prepare}
          onFocus={prepare}
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
        </PlainLink>
      </li>
    );
  },
);

/** How many clients are rendered: few at first and after another `query`, soon all `total`. */
const useGrowing = (query: string, total: number): number => {
  const [grown, setGrown] = useState({ query, count: CLIENTS_FIRST });
  const count = grown.query === query ? grown.count : CLIENTS_FIRST;
  useEffect(() => {
    if (count >= total) return;
    startTransition(() => setGrown({ query, count: count + CLIENTS_ADDED }));
  }, [query, count, total]);
  return count;
};

/** One link per client that matches `query`, with the unread messages of all three rooms. */
export const ClientList = memo(
  ({
    teams,
    query,
    unread,
  }: {
    readonly teams: readonly Team[];
    readonly query: string;
    readonly unread: UnreadByRoom;
  }) => {
    const clientId = useChatIds()?.clientId;
    const prepare = usePrepareClient();
    const counts = useMemo(() => sumByClient(unread), [unread]);
    const count = useGrowing(query, teams.length);
    return (
      <ul className={classes['list']}>
        {teams.slice(0, count).map((team) => (
          <ClientLink
            key={team.client_id}
            team={team}
            unread={counts.get(team.client_id) ?? 0}
            current={team.client_id === clientId}
            onPrepare={prepare}
          />
        ))}
      </ul>
    );
  },
);
