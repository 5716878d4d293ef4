import type { Coverage } from '#domain/project/rows.ts';
import { parseCoverage, type RowParser } from '#domain/project/row-schemas.ts';
import { isRoomKey, type RoomKey } from '#domain/rooms.ts';

import { type CoverageRow, ROW_VERSION, type Stored, toCoverageKey } from '../schema/tables.ts';

export const toCoverageRow = ({ room, ranges, reachedStart }: Coverage): Stored<CoverageRow> => ({
  room: toCoverageKey(room),
  ranges,
  reachedStart,
  v: ROW_VERSION,
});

/** The parser of stored coverage, including that of earlier versions. */
export const parseCoverageRow: RowParser<Coverage> = (stored) => {
  const key: unknown = typeof stored === 'object' && stored !== null && Reflect.get(stored, 'room');
  return parseCoverage({ ...Object(stored), room: toCoveredRoom(key) });
};

/** The room in a key of the coverage table. */
export const toCoveredRoom = (key: unknown): RoomKey | undefined => {
  const room = typeof key === 'string' && key.startsWith('+') ? key.slice(1) : key;
  return isRoomKey(room) ? room : undefined;
};
