import { useMemo } from 'react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { toBannerText } from '#domain/errors.ts';
import { ROOM_IDS, type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { isPlace, type SearchQuery } from '#domain/text/search-query.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { useConnection } from '#src/actors/desk.ts';
import { type PeriodView, usePeriod } from '#src/actors/period.ts';
import { LoadProgress } from '#src/ui/load-progress.tsx';

const toRooms = (count: number): string => (count === 1 ? '1 room' : `${count} rooms`);

const toText = ({ coverage, isLoading, error }: PeriodView): string => {
  if (isLoading) return 'Reading older messages';
  if (error !== undefined) return toBannerText(error);
  if (coverage === undefined || coverage.missing.length > 0) return '';
  return coverage.overfull > 0
    ? 'This device keeps only the newest messages of a long conversation.'
    : `All messages in ${toRooms(coverage.rooms)} are on this device.`;
};

const Older = ({
  since,
  rooms,
}: {
  readonly since: Timetoken;
  readonly rooms: readonly RoomKey[];
}) => {
  const period = usePeriod({ since, rooms });
  const offline = useConnection().kind === 'offline';
  const isMissing = (period.coverage?.missing.length ?? 0) > 0;
  const start = period.error === undefined ? 'Search older messages on the server' : 'Try again';
  return (
    <LoadProgress
      label="Older messages"
      text={toText(period)}
      isLoading={period.isLoading}
      loaded={period.loaded}
      total={period.toLoad}
      start={isMissing && !offline ? start : undefined}
      onStart={period.load}
      onStop={period.stop}
    />
  );
};

/** Loads older messages of the rooms named by `in:` to this device, where they are searched. */
export const SearchOlder = ({ query: { in: places, after } }: { readonly query: SearchQuery }) => {
  const teams = useTeams();
  const named = places.join('\n');
  const rooms = useMemo(() => {
    const parts = named.split('\n').filter(Boolean);
    if (parts.length === 0) return [];
    return (teams ?? []).flatMap((team) =>
      ROOM_IDS.filter((roomId) => isPlace(parts, team, roomId)).map((roomId) =>
        toRoomKey(team.client_id, roomId),
      ),
    );
  }, [teams, named]);
  if (rooms.length === 0) return null;
  return <Older key={`${after} ${rooms.join(' ')}`} since={after} rooms={rooms} />;
};
