import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';

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

/** Where what is new begins, and whether somebody has looked at it. */
interface Line {
  readonly from: Timetoken;
  readonly isSeen: boolean;
}

/** What was read elsewhere before anybody looked here is not new any more. */
const toLine = (
  line: Line | undefined,
  first: Timetoken | undefined,
  attended: boolean,
): Line | undefined => {
  if (attended) return line?.isSeen === false ? { ...line, isSeen: true } : line;
  if (first === undefined) return line?.isSeen === true ? line : undefined;
  return line?.from === first ? line : { from: first, isSeen: false };
};

/**
 * Notes what is read: the newest, while it is in sight of a window in front. The value is
 * where what was new began when somebody came to look, or the connection came back; it stays
 * while they do.
 */
export const useReading = (
  room: RoomKey,
  items: readonly ThreadItem[] | undefined,
  atEnd: boolean,
): Timetoken | undefined => {
  const { unread, caughtUp, onAttended } = usePageFrame();
  const desk = useDesk();
  const inFront = useSyncExternalStore(watchFront, isInFront);
  const [line, setLine] = useState<Line | undefined>();
  const attended = atEnd && inFront && caughtUp;
  const next = toLine(line, unread.get(room)?.first, attended);
  if (next !== line) setLine(next);
  useEffect(() => {
    if (!attended) return undefined;
    onAttended(room);
    return () => onAttended(undefined);
  }, [attended, room, onAttended]);
  const newest = toNewest(items);
  const [noted, setNoted] = useState<Timetoken | undefined>();
  const note = useEffectEvent(() => {
    setNoted(newest);
    if (newest !== undefined) void desk.markRead(room, newest);
  });
  const isNews = attended && newest !== noted;
  useEffect(() => {
    if (!isNews) return undefined;
    const timer = setTimeout(note, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isNews]);
  return next?.from;
};
