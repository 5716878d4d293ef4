import { useMemo, useState } from 'react';

import { useProducers } from '#db/hooks/use-producers.ts';
import { useStartKnown } from '#db/hooks/use-start-known.ts';
import { useThread } from '#db/hooks/use-thread.ts';
import { ROOM_TITLES, type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import type { User } from '#domain/schemas/session.ts';
import { type Team, toFirstName, toFullName } from '#domain/schemas/team.ts';
import {
  type HistoryView,
  useConnection,
  useDesk,
  useHistory,
  useSending,
  useSession,
} from '#src/app/actors.ts';
import { usePageTitle } from '#src/feedback/page-title.ts';

import { Announcer } from './announcer.tsx';
import { BarTitle } from './bar-title.tsx';
import { Composer } from './composer.tsx';
import { toDraftKey } from './drafts.ts';
import { RoomHeader } from './room-header.tsx';
import classes from './room-pane.module.css';
import { RoomThread } from './room-thread.tsx';
import type { ThreadRow } from './thread-row.ts';
import { toThreadRows } from './to-thread-rows.ts';
import { useReading } from './use-reading.ts';
import { useToday } from './use-today.ts';

const NOBODY: readonly never[] = [];

/** The rows of a room as they are drawn; undefined until the device's store answered. */
const useThreadRows = (
  room: RoomKey,
  team: Team,
  user: User,
  history: HistoryView,
  atEnd: boolean,
): readonly ThreadRow[] | undefined => {
  const items = useThread(room, history.from, user.uid);
  const newFrom = useReading(room, items, atEnd);
  const producers = useProducers() ?? NOBODY;
  const sending = useSending();
  const { kind } = useConnection();
  const reached = kind === 'online' || kind === 'blocked';
  const today = useToday();
  return useMemo(
    () =>
      items &&
      toThreadRows(items, { people: { user, team, producers }, sending, reached, newFrom, today }),
    [items, user, team, producers, sending, reached, newFrom, today],
  );
};

/** The history of a room; more of it exists again once this device forgot how it began. */
const useRoomHistory = (room: RoomKey): HistoryView => {
  const history = useHistory(room);
  const isForgotten = useStartKnown(room) === false && history.state === 'success';
  return { ...history, hasMore: history.hasMore || isForgotten };
};

/** The open room of a signed-in user: header, thread, composer. */
const OpenRoom = ({
  room,
  team,
  user,
}: {
  readonly room: RoomKey;
  readonly team: Team;
  readonly user: User;
}) => {
  const { roomId } = splitRoomKey(room);
  const desk = useDesk();
  const history = useRoomHistory(room);
  const connection = useConnection();
  const [atEnd, setAtEnd] = useState(false);
  const rows = useThreadRows(room, team, user, history, atEnd);
  return (
    <>
      <RoomHeader team={team} roomId={roomId} />
      <RoomThread
        rows={rows}
        history={history}
        title={ROOM_TITLES[roomId]}
        offline={connection.kind === 'offline'}
        onEnd={setAtEnd}
      />
      {rows !== undefined && <Announcer rows={rows} />}
      <Composer
        place={`${toFirstName(team)} · ${ROOM_TITLES[roomId]}`}
        draftKey={toDraftKey(user.uid, room)}
        send={(text) => desk.send(room, text)}
      />
    </>
  );
};

/** The message pane (spec §2): thread and message input of one room. */
export const RoomPane = ({
  room,
  team,
  bar,
}: {
  readonly room: RoomKey;
  readonly team: Team;
  readonly bar: HTMLElement | null;
}) => {
  const { user } = useSession();
  const title = ROOM_TITLES[splitRoomKey(room).roomId];
  usePageTitle(`${toFullName(team)} · ${title}`);
  return (
    <div className={classes['root']}>
      <BarTitle bar={bar} title={toFullName(team)} detail={title} />
      {user !== undefined && <OpenRoom room={room} team={team} user={user} />}
    </div>
  );
};
