import { IconHash } from '@tabler/icons-react';

import { usePrepareRoom } from '#db/hooks/use-prepare.ts';
import { ROOM_IDS, ROOM_TITLES, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { toRoomPath } from '#domain/routes.ts';
import { toInitials } from '#domain/text/initials.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { type Team, toFirstName, toFullName } from '#domain/schemas/team.ts';
import { NavigationLink } from '#src/ui/address.tsx';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { usePageFrame } from '#src/ui/page-frame.ts';
import { toUnreadDescription, UnreadBadge } from '#src/ui/unread-badge.tsx';

import { type Line, useLines } from '../inbox/use-lines.ts';

import classes from './room-column.module.css';

const AVATAR_PX = 26;

/** Its name is the room's title: everything else is drawn, and in its description. */
const RoomLink = ({
  room,
  title,
  unread,
  line,
  onPrepare,
}: {
  readonly room: RoomKey;
  readonly title: string;
  readonly unread: number;
  readonly line: Line | undefined;
  readonly onPrepare: (room: RoomKey) => void;
}) => (
  <NavigationLink
    to={toRoomPath(room)}
    onPointerDown={() => onPrepare(room)}
    onFocus={() => onPrepare(room)}
    className={classes['link']}
    data-unread={unread > 0 || undefined}
    aria-description={toUnreadDescription(unread, line?.said, line?.note)}
  >
    <IconHash className={classes['icon']} size={18} stroke={1.8} aria-hidden />
    <span className={classes['name']}>{title}</span>
    <span aria-hidden className={classes['time']} data-text={line?.time} />
    <span aria-hidden className={classes['last']}>
      <span className={classes['preview']} data-kind={line?.kind}>
        <span data-text={line && `${line.lead}: `} />
        <span data-text={line?.text} />
      </span>
      <UnreadBadge count={unread} />
    </span>
  </NavigationLink>
);

/** The client's full name beside the tabs, where the room's header has no space. */
const Who = ({ team }: { readonly team: Team }) => {
  const name = toFullName(team);
  return (
    <p className={classes['who']} title={name} aria-hidden>
      <InitialsAvatar
        initials={toInitials(name)}
        seed={team.client_id}
        shape="round"
        size={AVATAR_PX}
      />
      <bdi className={classes['full-name']}>{name}</bdi>
    </p>
  );
};

/** "{first name} Rooms" and the three links: a column, tabs above the thread, or a phone's page. */
export const RoomColumn = ({
  team,
  unread,
}: {
  readonly team: Team;
  readonly unread: UnreadByRoom;
}) => {
  const { phone } = usePageFrame();
  const prepare = usePrepareRoom();
  const lines = useLines();
  // On a phone it is the whole page.
  const Title = phone ? 'h1' : 'h2';
  return (
    <nav aria-label="Rooms" className={classes['root']}>
      <Title className={classes['title']}>
        <bdi>{toFirstName(team)}</bdi> Rooms
      </Title>
      <ul className={classes['list']}>
        {ROOM_IDS.map((roomId) => {
          const room = toRoomKey(team.client_id, roomId);
          return (
            <li key={roomId}>
              <RoomLink
                room={room}
                title={ROOM_TITLES[roomId]}
                unread={unread.get(room)?.count ?? 0}
                line={lines.ofRoom(team, room)}
                onPrepare={prepare}
              />
            </li>
          );
        })}
      </ul>
      <Who team={team} />
    </nav>
  );
};
