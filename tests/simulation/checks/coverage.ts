import { toCoveredRoom } from '#db/facts/coverage-row.ts';
import { toUserDatabaseName } from '#db/schema/database.ts';
import type { Coverage } from '#domain/project/rows.ts';
import { coverRoom, type Segment, mergeSegments } from '#domain/project/segments.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { laterOf, type Timetoken } from '#domain/timetoken.ts';
import type { SimDevice } from '../world/device.ts';

/** The coverage of rooms as the program states it, read directly from the disk. */

/** Covered by history pages. */
export const readPages = (device: SimDevice, uid: string): readonly Coverage[] =>
  device.disk.rows(toUserDatabaseName(uid), 'coverage').flatMap((row) => {
    const room = toCoveredRoom(row.room);
    return room === undefined ? [] : [{ ...row, room }];
  });

/** Covered by history pages and the stream, for each of `rooms` with any coverage. */
export const readCoverage = (
  device: SimDevice,
  uid: string,
  rooms: readonly RoomKey[],
): readonly Coverage[] => {
  const name = toUserDatabaseName(uid);
  const leader = device.disk.rows(name, 'meta').find(({ key }) => key === 'leader');
  const segments: Segment[] = [];
  const floors = new Map<RoomKey, Timetoken>();
  for (const { fact } of device.disk.rows(name, 'log')) {
    if (fact.type === 'v1.RoomFloored') floors.set(fact.room, fact.from);
    if (fact.type === 'v1.StreamCovered') {
      segments.push({ after: fact.after, to: fact.to, isOpen: false });
    }
    if (fact.type !== 'v1.StreamOpened') continue;
    const { after } = fact;
    const isOpen = leader?.since === after;
    const end = isOpen ? (leader.until ?? leader.cursor) : undefined;
    segments.push({ after, to: laterOf(after, end ?? after), isOpen });
  }
  const pages = readPages(device, uid);
  const streamed = { segments: mergeSegments(segments), floors };
  return rooms.flatMap((room) => {
    const own = pages.find((known) => known.room === room);
    return coverRoom(room, own, streamed) ?? [];
  });
};
