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
  search: '/search',
} as const;

export const toClientPath = (clientId: string): string =>
  `${ROUTES.chat}/${encodeURIComponent(clientId)}`;

export const toRoomPath = (room: RoomKey): string => {
  const { clientId, roomId } = splitRoomKey(room);
  return `${toClientPath(clientId)}/${roomId}`;
};

/** `unknown`: an address without a page. */
export type PageName = keyof typeof ROUTES | 'unknown';

/** The parts of a path between its slashes; slashes at the end do not count. */
const toParts = (pathname: string): readonly string[] =>
  pathname.replace(/\/+$/, '').split('/').slice(1);

const isPage = (name: string): name is keyof typeof ROUTES =>
  name !== 'home' && Object.hasOwn(ROUTES, name);

/** The page at a path, regardless of case. */
export const findPage = (pathname: string): PageName => {
  const [first, ...rest] = toParts(pathname);
  if (first === undefined) return 'home';
  const name = first.toLowerCase();
  return isPage(name) && rest.length <= (name === 'chat' ? 2 : 0) ? name : 'unknown';
};

/** `{cid}` and `{rid}` of `/chat/{cid}/{rid}`, as written. */
export interface ChatIds {
  readonly clientId: string | undefined;
  readonly roomId: string | undefined;
}

/** Undefined if the path is not one of the chat. */
export const findChatIds = (pathname: string): ChatIds | undefined => {
  if (findPage(pathname) !== 'chat') return undefined;
  const [, clientId, roomId] = toParts(pathname);
  return { clientId, roomId };
};

/** Target of a chat address; `invalid` means a client id or room id that cannot exist. */
export type ChatPlace =
  | { readonly kind: 'entry' }
  | { readonly kind: 'client'; readonly clientId: string }
  | { readonly kind: 'room'; readonly clientId: string; readonly roomId: RoomId }
  | { readonly kind: 'invalid' };

/** The target of the ids in a chat address, which are untrusted. */
export const parseChatPlace = ({ clientId, roomId }: ChatIds): ChatPlace => {
  if (clientId === undefined) return { kind: 'entry' };
  if (!isClientId(clientId)) return { kind: 'invalid' };
  if (roomId === undefined) return { kind: 'client', clientId };
  return isRoomId(roomId) ? { kind: 'room', clientId, roomId } : { kind: 'invalid' };
};
