import { useMemo, useState } from 'react';

import { useProducers, useRoomDescription } from '#db/hooks/use-stored.ts';
import { useStartKnown, useThread } from '#db/hooks/use-thread.ts';
import type { ThreadItem } from '#domain/project/rows.ts';
import { ROOM_TITLES, type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import type { User } from '#domain/schemas/session.ts';
import { type Team, toFirstName, toFullName } from '#domain/schemas/team.ts';
import { toRoomName } from '#domain/room-name.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { useSession } from '#src/actors/actors.ts';
import {
  type HistoryView,
  useConnection,
  useMessageCommands,
  useHistory,
  useSending,
} from '#src/actors/desk.ts';
import { useContentShown } from '#src/ui/deferred/content-shown.ts';
import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';
import { usePageFrame } from '#src/ui/page-frame.ts';
import { usePageTitle } from '#src/ui/page-title.ts';

import { BarTitle } from './bar-title.tsx';
import { Composer } from '../composer/composer.tsx';
import { toDraftKey } from '#src/drafts/drafts.ts';
import { RoomHeader } from './room-header.tsx';
import classes from './room-pane.module.css';
import { RoomThread } from '../thread/room-thread.tsx';
import { useReading } from '../thread/use-reading.ts';
import type { ThreadRow } from '../rows/thread-row.ts';
import { createThreadRows } from '../rows/compose-rows.ts';
import { useToday } from './use-today.ts';

/** Without its chunk nothing is announced, and a room is muted in the settings only. */
const RoomSignals = deferredComponent(() => import('./room-signals.tsx'));

/** The rows of a room; undefined until the device's store answered. */
const useThreadRows = (
  { room, team, user }: { readonly room: RoomKey; readonly team: Team; readonly user: User },
  items: readonly ThreadItem[] | undefined,
  newFrom: Timetoken | undefined,
  today: number,
): readonly ThreadRow[] | undefined => {
  const staff = useProducers();
  const sending = useSending(room);
  const { kind } = useConnection();
  const reached = kind === 'online' || kind === 'blocked';
  const people = useMemo(() => ({ user, team, staff }), [user, team, staff]);
  const [toRows] = useState(createThreadRows);
  return useMemo(
    () => items && toRows(items, { people, sending, reached, newFrom, today }),
    [toRows, items, people, sending, reached, newFrom, today],
  );
};

/** The history of a room; more pages exist again once this device pruned its beginning. */
const useRoomHistory = (room: RoomKey): HistoryView => {
  const history = useHistory(room);
  const isForgotten = useStartKnown(room) === false && history.state === 'success';
  return useMemo(
    () => ({ ...history, hasMore: history.hasMore || isForgotten }),
    [history, isForgotten],
  );
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
  const description = useRoomDescription(roomId);
  const commands = useMessageCommands();
  const history = useRoomHistory(room);
  const connection = useConnection();
  const { bar } = usePageFrame();
  const today = useToday();
  const items = useThread(room, history.from, user.uid);
  const reading = useReading(room, items, today);
  const rows = useThreadRows({ room, team, user }, items, reading.newFrom, today);
  useContentShown(rows !== undefined);
  return (
    <>
      <RoomHeader team={team} roomId={roomId} description={description}>
        {rows !== undefined && <RoomSignals room={room} team={team} bar={bar} rows={rows} />}
      </RoomHeader>
      <RoomThread
        room={room}
        rows={rows}
        history={history}
        title={ROOM_TITLES[roomId]}
        offline={connection.kind === 'offline'}
        reading={reading}
        today={today}
      />
      <Composer
        roomName={toRoomName(room, toFirstName(team))}
        description={description}
        draftKey={toDraftKey(user.uid, room)}
        send={useMemo(() => commands.sendTo(room), [commands, room])}
      />
    </>
  );
};

/** The message pane (spec §2): thread and message input of one room. */
export const RoomPane = ({ room, team }: { readonly room: RoomKey; readonly team: Team }) => {
  const { user } = useSession();
  const title = ROOM_TITLES[splitRoomKey(room).roomId];
  usePageTitle(`${toFullName(team)} · ${title}`);
  return (
    <div className={classes['root']}>
      <BarTitle title={toFullName(team)} detail={title} />
      {user !== undefined && <OpenRoom room={room} team={team} user={user} />}
    </div>
  );
};
