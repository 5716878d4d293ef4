import { createContext, useContext } from 'react';

import type { RoomKey } from '#domain/rooms.ts';
import type { ReadHere, UnreadByRoom } from '#domain/rules/unread.ts';

/** Data shared by the frame of all signed-in pages and the page in it. */
export interface PageFrame {
  /** One pane with a bar instead of columns. */
  readonly phone: boolean;
  /** The bar of phones, into which the page renders its name. */
  readonly bar: HTMLElement | null;
  /** Whether unread messages were counted; until then nothing counts as unread. */
  readonly isCounted: boolean;
  /** Omits the room whose end is visible to the user: its new messages count as read at once. */
  readonly shownUnread: UnreadByRoom;
  /** The sum of these for all clients. */
  readonly total: number;
  /** Whether arriving messages were just written. */
  readonly caughtUp: boolean;
  /** Reports the room whose end is visible to the user; undefined for none. */
  readonly onAttended: (room: RoomKey | undefined) => void;
  /** Reports that the user read a room to its end, and whether this device stores that. */
  readonly onRead: (room: RoomKey, read: ReadHere, stored: Promise<boolean>) => void;
}

/**
 * Rooms that this page is marking as unread, one entry for each time: until that is counted,
 * nothing in them is marked as read.
 */
export const beingMarked: RoomKey[] = [];

/** Rooms whose unread messages an Undo restores; they are read again as before. */
export const beingRestored: RoomKey[] = [];

/** The person to whom this page has assigned a room last. */
export const assignedHere = new Map<RoomKey, string>();

/** Unread messages by room: apart, because they change with every message in the open room. */
export const UnreadContext = createContext<UnreadByRoom>(new Map());

export const PageFrameContext = createContext<PageFrame | undefined>(undefined);

export const usePageFrame = (): PageFrame => {
  const frame = useContext(PageFrameContext);
  if (frame === undefined) throw new Error('No page frame');
  return frame;
};
