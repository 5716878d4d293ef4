import { type RoomKey, toRoomKey } from '#domain/rooms.ts';
import { parseChatPlace } from '#domain/routes.ts';
import { useChatIds } from '#src/ui/address.tsx';

export const useOpenRoom = (): RoomKey | undefined => {
  const ids = useChatIds();
  const place = ids && parseChatPlace(ids);
  return place?.kind === 'room' ? toRoomKey(place.clientId, place.roomId) : undefined;
};
