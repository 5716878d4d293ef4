import { useEffect } from 'react';
import { useParams } from 'react-router';

import { useTeams } from '#db/hooks/use-teams.ts';
import { isClientId, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { parseChatPlace } from '#domain/routes.ts';
import type { Team } from '#domain/schemas/team.ts';
import { type TeamsView, useTeamsStatus } from '#src/actors/actors.ts';
import { useHabits } from '#src/actors/habits.ts';
import { lazyComponent } from '#src/ui/lazy-component.tsx';
import { usePageFrame } from '#src/ui/page-frame.ts';

import classes from './chat-page.module.css';
import { toChatView } from './room/chat-view.ts';
import { ClientColumn } from './clients/client-column.tsx';
import { LastRoom } from './last-room.tsx';
import { RoomColumn } from './room/room-column.tsx';
import { RoomPane } from './room/room-pane.tsx';
import { useSearchPanel } from './clients/use-search-panel.ts';

/** Without its chunk the pane stays empty; the columns beside it still work. */
const NoRoomPane = lazyComponent(
  () => import('./room/no-room-pane.tsx'),
  () => null,
);

/** Remembers the open room for the next visit of its client. */
const useVisit = (room: RoomKey | undefined): void => {
  const { noteVisit } = useHabits();
  useEffect(() => {
    if (room !== undefined) noteVisit(room);
  }, [room, noteVisit]);
};

/** The place in the address, its client and room, and what to do with them. */
const useChatPlace = (teams: readonly Team[] | undefined, status: TeamsView) => {
  const { clientId, roomId } = useParams();
  const place = parseChatPlace(clientId, roomId);
  const team = isClientId(clientId)
    ? teams?.find((entry) => entry.client_id === clientId)
    : undefined;
  const room = place.kind === 'room' ? toRoomKey(place.clientId, place.roomId) : undefined;
  const view = toChatView(place, {
    known: teams !== undefined,
    found: team !== undefined,
    settled: teams !== undefined && status.state !== 'loading' && !status.refetching,
    failed: status.state === 'error',
  });
  return { team, room, view };
};

/** Chat (spec §2): client column, room column, message pane; on phones one of them. */
export const ChatPage = () => {
  const { phone, bar, shownUnread } = usePageFrame();
  const teams = useTeams();
  const status = useTeamsStatus();
  const search = useSearchPanel();
  const { team, room, view } = useChatPlace(teams, status);
  const isRoomOpen = view.kind === 'room' && team !== undefined && room !== undefined;
  useVisit(isRoomOpen ? room : undefined);
  return (
    <div className={classes['root']} data-shows={view.shows} data-rooms={team !== undefined}>
      <ClientColumn teams={teams} unread={shownUnread} status={status} search={search} />
      {team !== undefined && <RoomColumn team={team} unread={shownUnread} />}
      <div className={classes['pane']}>
        {view.kind === 'choose-room' && team !== undefined && !phone && (
          <LastRoom clientId={team.client_id} />
        )}
        {isRoomOpen ? (
          <RoomPane key={room} room={room} team={team} bar={bar} />
        ) : (
          <NoRoomPane
            view={view}
            team={team}
            bar={bar}
            onFind={search.start}
            onRetry={() => status.retry()}
          />
        )}
      </div>
    </div>
  );
};
