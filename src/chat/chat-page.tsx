import { useEffect, useEffectEvent, useLayoutEffect } from 'react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { parseChatPlace } from '#domain/routes.ts';
import type { Team } from '#domain/schemas/team.ts';
import { type TeamsView, useTeamsStatus } from '#src/actors/desk.ts';
import { useLocalChoices } from '#src/actors/local-choices.ts';
import { useChatIds } from '#src/ui/address.tsx';
import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { useContentShown } from '#src/ui/deferred/content-shown.ts';
import { Loading } from '#src/ui/waiting.tsx';
import { usePageFrame } from '#src/ui/page-frame.ts';
import { usePageTitle } from '#src/ui/page-title.ts';

import classes from './chat-page.module.css';
import { toChatView } from './room/chat-view.ts';
import { ClientColumn } from './clients/client-column.tsx';
import { LastRoom } from './last-room.tsx';
import { RoomColumn } from './room/room-column.tsx';
import { RoomPane } from './room/room-pane.tsx';
import { useSearchPanel } from './clients/use-search-panel.ts';

/** Without its chunk the pane stays empty; the columns beside it still work. */
const NoRoomPane = lazyComponent(() => import('./room/no-room-pane.tsx'), null);

/** The texts beside the names in the lists; without its chunk they show names alone. */
const LinesSource = deferredComponent(() => import('./inbox/lines-source.tsx'));

/** Shown while the clients are not known yet. Nothing else loads for it. */
const Waiting = () => {
  usePageTitle('Chat');
  return <Loading />;
};

/** Remembers the open room for the next visit of its client. */
const useVisit = (room: RoomKey | undefined): void => {
  const { recordVisit } = useLocalChoices();
  useEffect(() => {
    if (room !== undefined) recordVisit(room);
  }, [room, recordVisit]);
};

/** The address changes just before the page does. */
const NO_IDS = { clientId: undefined, roomId: undefined };

/** The client and the room in the address, and the view to show for them. */
const useChatPlace = (teams: readonly Team[] | undefined, status: TeamsView) => {
  const ids = useChatIds() ?? NO_IDS;
  const place = parseChatPlace(ids);
  const team = teams?.find(({ client_id }) => client_id === ids.clientId);
  const room = place.kind === 'room' ? toRoomKey(place.clientId, place.roomId) : undefined;
  const view = toChatView(place, {
    known: teams !== undefined,
    found: team !== undefined,
    fresh: teams !== undefined && status.state !== 'loading' && !status.refetching,
    failed: status.failed,
  });
  // The client may be newer than the list. Before the paint, which would claim that there is none.
  const retry = useEffectEvent(status.retry);
  const unknown = view.kind === 'unknown-client' ? ids.clientId : undefined;
  useLayoutEffect(() => {
    if (unknown !== undefined) retry();
  }, [unknown]);
  return { team, room, view };
};

/**
 * Chat (spec §2): client column, room column, message pane; on phones one of them, above an open
 * room its client's rooms as tabs.
 */
export const ChatPage = () => {
  const { phone } = usePageFrame();
  const teams = useTeams();
  const status = useTeamsStatus();
  const search = useSearchPanel();
  const { team, room, view } = useChatPlace(teams, status);
  const { kind, shows } = view;
  const isRoomOpen = kind === 'room' && team !== undefined && room !== undefined;
  const isWaiting = kind === 'waiting' || kind === 'room';
  useVisit(isRoomOpen ? room : undefined);
  // A room reports its own content.
  useContentShown(!isRoomOpen && !isWaiting);
  return (
    <div className={classes['root']} data-shows={shows} data-rooms={team !== undefined}>
      <LinesSource />
      <ClientColumn teams={teams} status={status} search={search} />
      {team !== undefined && <RoomColumn team={team} replace={phone && shows === 'pane'} />}
      <div className={classes['pane']}>
        {kind === 'choose-room' && team !== undefined && !phone && (
          <LastRoom clientId={team.client_id} />
        )}
        {isRoomOpen && <RoomPane key={room} room={room} team={team} />}
        {!isRoomOpen &&
          (isWaiting ? <Waiting /> : <NoRoomPane kind={kind} team={team} search={search} />)}
      </div>
    </div>
  );
};
