import { isClientId, isRoomId, type RoomId, type RoomKey, splitRoomKey } from './rooms.ts';

/** Page addresses (spec §2). */
export const ROUTES = {
  home: '/',
  dashboard: '/dashboard',
  videos: '/videos',
  chat: '/chat',
  deliveries: '/deliveries',
  login: '/login',
  register: '/register',
  settings: '/settings',
  spendings: '/spendings',
  referral: '/referral',
} as const;

export const toClientPath = (clientId: string): string =>
  `${ROUTES.chat}/${encodeURIComponent(clientId)}`;

export const toRoomPath = (room: RoomKey): string => {
  const { clientId, roomId } = splitRoomKey(room);
  return `${toClientPath(clientId)}/${roomId}`;
};

/** Target of a chat address; `invalid` means a client id or room id that cannot exist. */
export type ChatPlace =
  | { readonly kind: 'entry' }
  | { readonly kind: 'client'; readonly clientId: string }
  | { readonly kind: 'room'; readonly clientId: string; readonly roomId: RoomId }
  | { readonly kind: 'invalid' };

/** Reads the route parameters of `/chat/{cid}/{rid}`, both optional and untrusted. */
export const parseChatPlace = (clientId?: string, roomId?: string): ChatPlace => {
  if (clientId === undefined) return { kind: 'entry' };
  if (!isClientId(clientId)) return { kind: 'invalid' };
  if (roomId === undefined) return { kind: 'client', clientId };
  return isRoomId(roomId) ? { kind: 'room', clientId, roomId } : { kind: 'invalid' };
};
