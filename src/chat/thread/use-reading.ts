import {
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

import type { ThreadItem } from '#domain/project/rows.ts';
import type { RoomKey } from '#domain/rooms.ts';
import { toSinceLabel } from '#domain/text/date-label.ts';
import { type NewLine, toNewest, toNewLine, toReadUpTo } from '#domain/rules/reading.ts';
import { type Timetoken, toEpochMs } from '#domain/timetoken.ts';
import { useDesk } from '#src/actors/actors.ts';
import { usePageFrame } from '#src/ui/page-frame.ts';

import type { Reading, UnreadAbove } from './reading.ts';
import type { Sight } from './sight.ts';

/** What was in sight is noted so much later: rooms passed by on the way to another are not. */
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

/** What was found out by looking at what is in sight. */
interface View {
  readonly atEnd: boolean;
  readonly readUpTo: Timetoken | undefined;
  /** Nothing of what is loaded is left to read. */
  readonly isAllRead: boolean;
  /** The line is above what is in sight, and nobody has been there. */
  readonly isLineAbove: boolean;
}

const UNSEEN: View = { atEnd: false, readUpTo: undefined, isAllRead: true, isLineAbove: false };

const isSameView = (a: View, b: View): boolean =>
  (Object.keys(a) as (keyof View)[]).every((field) => a[field] === b[field]);

const findRow = (items: readonly ThreadItem[], place: Timetoken | undefined): number =>
  place === undefined
    ? -1
    : items.findLastIndex((item) => item.source === 'log' && item.row.timetoken === place);

interface Looking {
  readonly items: readonly ThreadItem[];
  readonly first: Timetoken | undefined;
  /** Somebody is in front of the window. */
  readonly isInFront: boolean;
  readonly lineFrom: Timetoken | undefined;
}

/** Looks at what is in sight, now and whenever what is asked changes. */
const useView = (looking: Looking) => {
  const { items, first, isInFront: inFront, lineFrom } = looking;
  const [view, setView] = useState<View>(UNSEEN);
  const sight = useRef<Sight | undefined>(undefined);
  const asked: RefObject<Looking> = useRef(looking);
  const [seen] = useState(() => ({ begins: new Set<string>(), ends: new Set<string>() }));
  const look = useCallback((): void => {
    const { current } = asked;
    const found = sight.current;
    if (found === undefined) return setView(UNSEEN);
    if (current.isInFront) {
      for (const key of found.begins) seen.begins.add(key);
      for (const key of found.ends) seen.ends.add(key);
    }
    const readUpTo = toReadUpTo(current.items, current.first, seen);
    const row = findRow(current.items, current.lineFrom);
    const next: View = {
      atEnd: found.atEnd,
      readUpTo,
      isAllRead: current.first === undefined || readUpTo === toNewest(current.items),
      isLineAbove:
        current.lineFrom !== undefined &&
        row <= found.first &&
        !seen.begins.has(current.items[row]?.key ?? ''),
    };
    setView((before) => (isSameView(before, next) ? before : next));
  }, [seen]);
  useLayoutEffect(() => {
    asked.current = { items, first, isInFront: inFront, lineFrom };
    look();
  }, [items, first, inFront, lineFrom, look]);
  const onSight = useCallback(
    (next: Sight | undefined): void => {
      sight.current = next;
      look();
    },
    [look],
  );
  return { view, onSight };
};

/** Notes up to where the room is read, while somebody is in front of it. */
const useNoting = (room: RoomKey, isPresent: boolean, readUpTo: Timetoken | undefined) => {
  const desk = useDesk();
  const [noted, setNoted] = useState<Timetoken | undefined>();
  const note = useEffectEvent(() => {
    setNoted(readUpTo);
    if (readUpTo !== undefined) void desk.markRead(room, readUpTo);
  });
  const isNews = isPresent && readUpTo !== undefined && (noted === undefined || readUpTo > noted);
  useEffect(() => {
    if (!isNews) return undefined;
    const timer = setTimeout(note, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isNews]);
};

/** Says that somebody is at the end of the room, so that its news is not called unread. */
const useAttendance = (room: RoomKey, isAttended: boolean): void => {
  const { onAttended } = usePageFrame();
  useEffect(() => {
    if (!isAttended) return undefined;
    onAttended(room);
    return () => onAttended(undefined);
  }, [isAttended, room, onAttended]);
};

const NO_ITEMS: readonly ThreadItem[] = [];

/**
 * Reading of an open room: what was in sight of a window in front, without a break from the
 * first unread message on, is noted as read. `newFrom` is where what was new began when somebody
 * came to look, or the connection came back; it stays while they do.
 */
export const useReading = (
  room: RoomKey,
  loaded: readonly ThreadItem[] | undefined,
  today: number,
): Reading => {
  const items = loaded ?? NO_ITEMS;
  const { unread, caughtUp } = usePageFrame();
  const desk = useDesk();
  const inFront = useSyncExternalStore(watchFront, isInFront);
  const isPresent = inFront && caughtUp;
  const [line, setLine] = useState<NewLine | undefined>();
  const first = unread.get(room)?.first;
  const lineFrom = line?.isDone === false ? line.from : undefined;
  const { view, onSight } = useView({ items, first, isInFront: inFront, lineFrom });
  const isAttended = isPresent && view.atEnd && view.isAllRead;
  const next = toNewLine(line, { first, isPresent, isAttended });
  if (next !== line) setLine(next);
  useAttendance(room, isAttended);
  useNoting(room, isPresent, view.readUpTo);
  const count = unread.get(room)?.count ?? 0;
  const above: UnreadAbove | undefined =
    view.isLineAbove && lineFrom !== undefined && count > 0
      ? {
          count,
          since: toSinceLabel(toEpochMs(lineFrom), today),
          index: findRow(items, lineFrom),
        }
      : undefined;
  const newest = toNewest(items);
  return {
    newFrom: next?.from,
    isAllNew: next !== undefined && findRow(items, next.from) === 0,
    above,
    onSight,
    markAllRead: () => {
      if (newest !== undefined) void desk.markRead(room, newest);
    },
  };
};
