import type { RoomKey } from './rooms.ts';
import { ROUTES, toRoomPath } from './routes.ts';
import type { Timetoken } from './timetoken.ts';

/** Addresses with a query; in a separate module, because the sign-in page uses none. */

/** The query parameter of a chat address that names a message by its position in the room's log. */
export const MESSAGE_PARAM = 'm';

/** The address of a message: its room opens there. */
export const toMessagePath = (room: RoomKey, at: Timetoken): string =>
  `${toRoomPath(room)}?${MESSAGE_PARAM}=${at}`;

/** The query parameter of the search page. */
export const SEARCH_PARAM = 'q';

/** The address of the search page with a search. Half of an emoji has no place in an address. */
export const toSearchPath = (text: string): string =>
  text === ''
    ? ROUTES.search
    : `${ROUTES.search}?${SEARCH_PARAM}=${encodeURIComponent(text.toWellFormed())}`;
