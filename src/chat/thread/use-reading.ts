import {
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import type { ThreadItem } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toSinceLabel } from '#domain/text/date-label.ts';
import { type NewLine, toNewest, toNewLine, toReadUpTo } from '#domain/rules/read-position.ts';
import { type Timetoken, TIMETOKEN_ZERO, toEpochMs } from '#domain/timetoken.ts';
import { useMessageCommands } from '#src/actors/desk.ts';
import type { Unread } from '#domain/rules/unread.ts';
import { beingMarked, beingRestored, UnreadContext, usePageFrame } from '#src/ui/page-frame.ts';

import { hasSameFields } from '../rows/thread-row.ts';
import type { Reading } from './reading.ts';
import { useInFront } from './use-in-front.ts';
import type { VisibleRange } from './visible-range.ts';

/** Delay before visible messages count as read: rooms that the user only passes through do not. */
const READ_AFTER_MS = 300;

/**
 * A message that arrives at the end is unread until its row was laid out and painted: during this
 * time the thread still follows. After a burst of more than a screen, the part above stays unread.
 * After a return, messages that the page missed may still arrive during this time; they are not
 * followed.
 */
const SETTLE_MS = 2000;

/** The read state derived from the visible range. */
interface View {
  readonly atEnd: boolean;
  readonly readUpTo: Timetoken | undefined;
  /** The first message that the user has not seen whole is above the visible part. */
  readonly isUnreadAbove: boolean;
}

const UNSEEN: View = { atEnd: false, readUpTo: undefined, isUnreadAbove: false };

const findRow = (items: readonly ThreadItem[], place: Timetoken | undefined): number =>
  place === undefined
    ? -1
    : items.findLastIndex((item) => item.source === 'log' && item.row.timetoken === place);

interface Looking {
  readonly items: readonly ThreadItem[];
  readonly first: Timetoken | undefined;
  /** Earlier unread messages, after this position, may be missing on this device. */
  readonly gapAfter: Timetoken | undefined;
  /** The window is focused and visible. */
  readonly isInFront: boolean;
}

/** Derives the view from the visible range, now and whenever its inputs change. */
const useView = (looking: Looking) => {
  const { items, first, gapAfter, isInFront: inFront } = looking;
  const [view, setView] = useState<View>(UNSEEN);
  const last = useRef(view);
  const range = useRef<VisibleRange | undefined>(undefined);
  const asked: RefObject<Looking> = useRef(looking);
  const [seen] = useState(() => ({ begins: new Set<string>(), ends: new Set<string>() }));
  const look = useCallback((): void => {
    const { current } = asked;
    const found = range.current;
    // React renders for an equal state, too, while an update is pending.
    const show = (next: View): void => {
      if (!hasSameFields(last.current, next)) setView((last.current = next));
    };
    if (!found) return show(UNSEEN);
    if (current.isInFront) {
      for (const key of found.begins) seen.begins.add(key);
      for (const key of found.ends) seen.ends.add(key);
    }
    const readUpTo = current.gapAfter ? undefined : toReadUpTo(current.items, current.first, seen);
    // The stored position follows a moment later; until it does, what was seen counts.
    const row = readUpTo
      ? findRow(current.items, readUpTo) + 1
      : findRow(current.items, current.first);
    show({
      atEnd: found.atEnd,
      readUpTo,
      // A message longer than the screen is being read once its beginning was visible.
      isUnreadAbove:
        row < found.first ||
        (row === found.first && !seen.begins.has(current.items[row]?.key ?? '')),
    });
  }, [seen]);
  useLayoutEffect(() => {
    asked.current = { items, first, gapAfter, isInFront: inFront };
    look();
  }, [items, first, gapAfter, inFront, look]);
  const onVisibleRange = useCallback(
    (next: VisibleRange | undefined): void => {
      range.current = next;
      look();
    },
    [look],
  );
  return { view, onVisibleRange };
};

/** Marks a room as read up to a position, which may be its end. */
const useMarkRead = (room: RoomKey, markId: string | undefined) => {
  const commands = useMessageCommands();
  const { onRead } = usePageFrame();
  return (upTo: Timetoken | undefined, isEnd: boolean): void => {
    if (upTo === undefined) return;
    const stored = commands.markRead(new Map([[room, upTo]]));
    if (isEnd) onRead(room, { upTo, markId }, stored);
  };
};

/** Records the read position of the room while the user is looking at it. */
const useRecordRead = (
  room: RoomKey,
  markId: string | undefined,
  isPresent: boolean,
  readUpTo: Timetoken | undefined,
  isAllRead: boolean,
) => {
  const markRead = useMarkRead(room, markId);
  const [recorded, setRecorded] = useState({ readUpTo: TIMETOKEN_ZERO, markId });
  const record = useEffectEvent(() => {
    if (beingMarked.includes(room)) return;
    if (readUpTo !== undefined) setRecorded({ readUpTo, markId });
    markRead(readUpTo, isAllRead);
  });
  // A room that was marked as unread since then, here or elsewhere, is read again.
  const isMarked = markId !== undefined && markId !== recorded.markId;
  const last = isMarked ? TIMETOKEN_ZERO : recorded.readUpTo;
  // The position also changes when a message becomes visible while the previous one is being
  // recorded.
  const since = isPresent && readUpTo !== undefined && readUpTo > last ? last : undefined;
  useEffect(() => {
    if (since === undefined) return undefined;
    // Repeats, because a mark in progress may have failed; `since` changes once it is recorded.
    const timer = setInterval(record, READ_AFTER_MS);
    return () => clearInterval(timer);
  }, [since]);
};

/** Whether the user is at the end of the room with nothing left to read above. */
const useFollowing = (isPresent: boolean, atEnd: boolean, isAllRead: boolean): boolean => {
  const [wasFollowing, setFollowing] = useState(false);
  const [isSettled, setSettled] = useState(isPresent);
  const isAtEnd = isPresent && atEnd;
  const isReading = isAtEnd && isAllRead;
  const isFollowing = isReading || (isAtEnd && wasFollowing && isSettled);
  if (isFollowing !== wasFollowing) setFollowing(isFollowing);
  if (isSettled && !isPresent) setSettled(false);
  useEffect(() => {
    const update = (): void => (isReading ? setSettled(true) : setFollowing(false));
    const timer = setTimeout(update, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isReading]);
  return isFollowing;
};

/** Reports that the user is at the end of the room, whose new messages then count as read. */
const useReportAtEnd = (room: RoomKey, isFollowing: boolean): void => {
  const { onAttended } = usePageFrame();
  useEffect(() => {
    if (!isFollowing) return undefined;
    onAttended(room);
    return () => onAttended(undefined);
  }, [isFollowing, room, onAttended]);
};

/**
 * Whether the room was marked as unread while it was open in front of the user, except by an Undo:
 * visible messages are then not marked as read before the user comes back to it.
 */
const useKeptUnread = (room: RoomKey, markId: string | undefined, inFront: boolean): boolean => {
  const { isCounted } = usePageFrame();
  const [last, setLast] = useState<{ readonly markId: string | undefined; isKept: boolean }>();
  if (isCounted && (last === undefined || last.markId !== markId)) {
    setLast({ markId, isKept: last !== undefined && inFront && !beingRestored.includes(room) });
  }
  return markId !== undefined && last?.isKept === true;
};

const NO_ITEMS: readonly ThreadItem[] = [];
const NOTHING: Partial<Unread> = {};

/**
 * Reading of an open room: messages that were visible in a focused window, in an unbroken run that
 * starts at the first unread one, are recorded as read. `newFrom` is the position at which new
 * messages began when the user opened the room or the connection returned, see `toNewLine`.
 */
export const useReading = (
  room: RoomKey,
  loaded: readonly ThreadItem[] | undefined,
  today: number,
): Reading => {
  const items = loaded ?? NO_ITEMS;
  const { caughtUp } = usePageFrame();
  const found: Partial<Unread> = useContext(UnreadContext).get(room) ?? NOTHING;
  const { first, markId, count: unread = 0, gapAfter } = found;
  const markRead = useMarkRead(room, markId);
  const inFront = useInFront();
  const isKept = useKeptUnread(room, markId, inFront);
  const isPresent = inFront && caughtUp && !isKept;
  const [line, setLine] = useState<NewLine | undefined>();
  const { view, onVisibleRange } = useView({ items, first, gapAfter, isInFront: inFront });
  const isAllRead = first === undefined || view.readUpTo === toNewest(items);
  const isFollowing = useFollowing(isPresent, view.atEnd, isAllRead);
  const answered = toNewest(items, true);
  const next = toNewLine(line, { first, isPresent, isFollowing, answered });
  if (next !== line) setLine(next);
  useReportAtEnd(room, isFollowing);
  useRecordRead(room, markId, isPresent, view.readUpTo, isAllRead);
  const above = view.isUnreadAbove && line?.isDone === false ? first : undefined;
  const count = above && unread;
  const since = above && toSinceLabel(toEpochMs(above), today);
  const index = findRow(items, above);
  const newFrom = next?.from;
  const isAllNew = newFrom !== undefined && findRow(items, newFrom) === 0;
  const markAllRead = useRef(() => {});
  useLayoutEffect(() => {
    markAllRead.current = () => markRead(toNewest(items), true);
  });
  // The thread is rendered again only if its part of this changed.
  return useMemo(
    () => ({
      newFrom,
      isAllNew,
      above: count && since !== undefined ? { count, since, index } : undefined,
      onVisibleRange,
      markAllRead: () => markAllRead.current(),
    }),
    [newFrom, isAllNew, count, since, index, onVisibleRange],
  );
};
