import { useParams } from 'react-router';

import { useTeams } from '#db/hooks/use-teams.ts';
import { isClientId, toRoomKey } from '#domain/rooms.ts';
import { parseChatPlace } from '#domain/routes.ts';
import { useTeamsStatus } from '#src/app/actors.ts';
import { loadApart } from '#src/feedback/load-apart.tsx';
import { usePageFrame } from '#src/feedback/page-frame.ts';

import classes from './chat-page.module.css';
import { toChatView } from './chat-view.ts';
import { ClientColumn } from './client-column.tsx';
import { RoomColumn } from './room-column.tsx';
import { RoomPane } from './room-pane.tsx';
import { useSearchPanel } from './use-search-panel.ts';

/** Without its chunk the pane stays empty: the columns beside it lead on. */
const NoRoomPane = loadApart(
  () => import('./no-room-pane.tsx'),
  () => null,
);

/** Chat (spec §2): client column, room column, message pane; on phones one of them. */
export const ChatPage = () => {
  const { clientId, roomId } = useParams();
  const { bar, shownUnread } = usePageFrame();
  const place = parseChatPlace(clientId, roomId);
  const teams = useTeams();
  const status = useTeamsStatus();
  const search = useSearchPanel();
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
  return (
    <div className={classes['root']} data-shows={view.shows} data-rooms={team !== undefined}>
      <ClientColumn teams={teams} unread={shownUnread} status={status} search={search} />
      {team !== undefined && <RoomColumn team={team} unread={shownUnread} />}
      <div className={classes['pane']}>
        {view.kind === 'room' && team !== undefined && room !== undefined ? (
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
