import { useOutletContext } from 'react-router';

import type { RoomKey } from '#domain/rooms.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';

/** What the frame of all signed-in pages shares with the page in it. */
export interface PageFrame {
  /** One pane with a bar instead of columns. */
  readonly phone: boolean;
  /** The bar of phones, where the page puts its name. */
  readonly bar: HTMLElement | null;
  readonly unread: UnreadByRoom;
  /** Without the room somebody is looking at, whose news count as read at once. */
  readonly shownUnread: UnreadByRoom;
  /** Whether what comes in now was written just now. */
  readonly caughtUp: boolean;
  /** Says which room somebody is looking at. */
  readonly onAttended: (room: RoomKey | undefined) => void;
}

export const usePageFrame = (): PageFrame => useOutletContext<PageFrame>();
