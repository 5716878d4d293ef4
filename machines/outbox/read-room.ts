import type { Ports } from '#domain/ports/ports.ts';
import type { Store } from '#domain/ports/storage.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';

/**
 * Notes that a room was read up to `timetoken`. What cannot be stored stays
 * unread, which is logged: nobody can do anything about it.
 */
export const readRoom = async (
  { clientLog }: Pick<Ports, 'clientLog'>,
  store: Store,
  room: RoomKey,
  timetoken: Timetoken,
): Promise<void> => {
  const stored = await store.append([{ type: 'v1.RoomRead', room, timetoken }]);
  if (!stored.ok) clientLog.write('warn', 'READING_UNSTORED', { kind: stored.error.kind });
};
