import { IconHash } from '@tabler/icons-react';

import { usePrepareRoom } from '#db/hooks/use-prepare.ts';
import { ROOM_IDS, ROOM_TITLES, type RoomId, toRoomKey } from '#domain/rooms.ts';
import { toRoomPath } from '#domain/routes.ts';
import { type Team, toFirstName, toFullName } from '#domain/schemas/team.ts';
import { NavigationLink } from '#src/ui/address.tsx';
import { InitialsAvatar } from '#src/ui/initials-avatar.tsx';
import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';
import { usePageFrame } from '#src/ui/page-frame.ts';
import { toUnreadDescription, UnreadBadge } from '#src/ui/unread-badge.tsx';

import { useLines } from '../inbox/use-lines.ts';

import classes from './room-column.module.css';

const AVATAR_PX = 26;

/** Without its chunk a client is pinned in the palette only. */
const PinButton = deferredComponent(
  () => import('./pin-button.tsx'),
  () => <span className={classes['pin']} />,
);

/** The client's full name beside the tabs, where the room's header has no space. */
const Who = ({ team }: { readonly team: Team }) => {
  const name = toFullName(team);
  return (
    <p className={classes['who']} title={name} aria-hidden>
      <InitialsAvatar name={name} seed={team.client_id} shape="round" size={AVATAR_PX} />
      <bdi>{name}</bdi>
    </p>
  );
};

/**
 * "{first name} Rooms" and the three links: a column, tabs above the thread, or a phone's page.
 * With `replace` they are tabs of a phone: a room replaces the other one in the history, so that up
 * and back lead to the list of rooms.
 */
export const RoomColumn = ({
  team,
  replace,
}: {
  readonly team: Team;
  readonly replace: boolean;
}) => {
  const { phone, shownUnread } = usePageFrame();
  const prepare = usePrepareRoom();
  const lines = useLines();
  // On a phone it is the whole page.
  const Title = phone ? 'h1' : 'h2';
  const toLink = (roomId: RoomId) => {
    const room = toRoomKey(team.client_id, roomId);
    const count = shownUnread.get(room)?.count ?? 0;
    const line = lines.ofRoom(team, room);
    // Its name is the room's title: everything else is hidden from it, and in its description.
    return (
      <NavigationLink
        to={toRoomPath(room)}
        replace={replace}
        onPointerEnter={() => prepare(room)}
        onPointerDown={() => prepare(room)}
        onFocus={() => prepare(room)}
        className={classes['link']}
        data-quiet={line?.quiet}
        aria-description={toUnreadDescription(count, line?.mute && 'Muted', line?.said, line?.note)}
      >
        <IconHash size={18} stroke={1.8} aria-hidden />
        <span className={classes['name']}>
          {ROOM_TITLES[roomId]}
          {line?.mute}
        </span>
        <span aria-hidden className={classes['time']} data-text={line?.time} />
        <span aria-hidden className={classes['last']}>
          <span className={classes['preview']} data-kind={line?.kind}>
            <span data-text={line?.lead} />
            <span data-text={line?.text} />
          </span>
          <UnreadBadge count={count} />
        </span>
      </NavigationLink>
    );
  };
  return (
    <nav aria-label="Rooms" className={classes['root']}>
      <Title className={classes['title']}>
        <bdi title={toFullName(team)}>{toFirstName(team)}</bdi> Rooms
      </Title>
      <PinButton team={team} />
      <ul className={classes['list']}>
        {ROOM_IDS.map((roomId) => (
          <li key={roomId}>{toLink(roomId)}</li>
        ))}
      </ul>
      <Who team={team} />
    </nav>
  );
};
