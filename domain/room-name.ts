import { ROOM_TITLES, type RoomKey, splitRoomKey } from './rooms.ts';

/** "Maya Okafor · Team" */
export const toRoomName = (room: RoomKey, clientName: string): string =>
  `${clientName} · ${ROOM_TITLES[splitRoomKey(room).roomId]}`;
