import { useEffect, useState, useSyncExternalStore } from 'react';

import type { ThreadItem } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import type { Timetoken } from '#domain/timetoken.ts';
import { useDesk } from '#src/app/actors.ts';
import { usePageFrame } from '#src/feedback/page-frame.ts';

/** In sight so long, the newest counts as read: rooms passed by on the way to another do not. */
const READ_AFTER_MS = 300;

/** Whether somebody is likely in front of this window. */
const isInFront = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

const watchFront = (listener: () => void): (() => void) => {
  window.addEventListener('focus', listener);
  window.addEventListener('blur', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    window.removeEventListener('focus', listener);
    window.removeEventListener('blur', listener);
    document.removeEventListener('visibilitychange', listener);
  };
};

/** The place of the newest entry of the room's log. */
const toNewest = (items: readonly ThreadItem[] | undefined): Timetoken | undefined => {
  const last = items?.findLast((item) => item.source === 'log');
  return last?.source === 'log' ? last.row.timetoken : undefined;
};

/**
 * Notes what is read: the newest, while it is in sight of a window in front. The value is
 * where what was new began when somebody came to look; it stays while they do.
 */
export const useReading = (
  room: RoomKey,
  items: readonly ThreadItem[] | undefined,
  atEnd: boolean,
): Timetoken | undefined => {
  const { unread, onAttended } = usePageFrame();
  const desk = useDesk();
  const inFront = useSyncExternalStore(watchFront, isInFront);
  const [newFrom, setNewFrom] = useState<Timetoken | undefined>();
  const attended = atEnd && inFront;
  const first = unread.get(room)?.first;
  if (!attended && first !== undefined && first !== newFrom) setNewFrom(first);
  useEffect(() => {
    if (!attended) return undefined;
    onAttended(room);
    return () => onAttended(undefined);
  }, [attended, room, onAttended]);
  const newest = toNewest(items);
  useEffect(() => {
    if (!attended || newest === undefined) return undefined;
    const timer = setTimeout(() => void desk.markRead(room, newest), READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [attended, newest, room, desk]);
  return newFrom;
};
