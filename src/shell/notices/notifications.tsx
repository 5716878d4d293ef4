import { useEffect, useEffectEvent, useRef } from 'react';

import {
  useFindNewestFromOthers,
  useNotificationChoice,
} from '#db/hooks/choices/use-notifications.ts';
import { useProducers, useTeams } from '#db/hooks/use-stored.ts';
import { useUnreadModel } from '#db/hooks/use-unread.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { findChatIds } from '#domain/routes.ts';
import {
  findChangedRooms,
  isMuted,
  isQuietAt,
  type UnreadSummary,
  toNotification,
} from '#domain/rules/notification.ts';
import { toSender, toSenderLabel } from '#domain/rules/sender.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import {
  type NotificationChoice,
  type NotificationRequest,
  openPathSchema,
} from '#domain/schemas/notification.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { compareTimetokens, type Timetoken, TIMETOKEN_ZERO } from '#domain/timetoken.ts';
import { toVisible, UNREADABLE_TEXT } from '#domain/visible-text.ts';
import { useSession } from '#src/actors/actors.ts';
import { navigate } from '#src/ui/address.tsx';

/** Unread messages, and whether they arrived just now. */
interface Arrivals {
  readonly unread: UnreadByRoom;
  readonly caughtUp: boolean;
}

/** Rooms announced at once; the others are on Home. */
const ANNOUNCED_MAX = 8;

/** Absent on plain http beyond loopback, although the types declare it. */
const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;

/** Whether this browser has notifications of pages with a service worker. */
const canNotify = (): boolean => container !== undefined && 'Notification' in window;

/**
 * Whether notifications are allowed. Not often: Chromium answers for the permission in another
 * process while the page waits.
 */
export const canShow = (): boolean => canNotify() && Notification.permission === 'granted';

/** Sends a request to the page's worker once there is one. */
export const requestOfWorker = async (request: NotificationRequest): Promise<void> => {
  if (!canShow()) return;
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage(request);
};

/** Opens the path of a clicked notification; only rooms are accepted. */
const useClicks = (): void => {
  useEffect(() => {
    if (!canNotify()) return undefined;
    const onMessage = ({ data, ports }: MessageEvent): void => {
      const opened = openPathSchema.safeParse(data);
      if (!opened.success) return;
      ports[0]?.postMessage('received');
      if (!findChatIds(opened.data.path)) return;
      // Closing the dialog would cancel the sign-out that it reports.
      if (document.querySelector('dialog[data-pending]') !== null) return;
      // The room would open behind them, without the focus.
      for (const dialog of document.querySelectorAll('dialog')) dialog.close();
      navigate(opened.data.path);
    };
    navigator.serviceWorker.addEventListener('message', onMessage);
    return () => navigator.serviceWorker.removeEventListener('message', onMessage);
  }, []);
};

/** Whether the user has read a room to its end since the last report; true at the first one. */
const useReadRooms = () => {
  const last = useRef<UnreadByRoom | undefined>(undefined);
  return (now: UnreadByRoom): boolean => {
    const before = last.current;
    last.current = now;
    return before === undefined || [...before.keys()].some((room) => !now.has(room));
  };
};

/** The rooms to announce, the newest last: after a night away, there may be hundreds. */
const listAnnounced = (
  before: UnreadByRoom,
  now: UnreadByRoom,
  choice: NotificationChoice,
): readonly RoomKey[] => {
  const newestOf = (room: RoomKey): Timetoken => now.get(room)?.newest ?? TIMETOKEN_ZERO;
  return findChangedRooms(before, now)
    .filter((room) => !isMuted(choice, room))
    .toSorted((a, b) => compareTimetokens(newestOf(a), newestOf(b)))
    .slice(-ANNOUNCED_MAX);
};

/** Reads the summary of a room; undefined if there is nothing to notify about. */
const useReadSummary = (teams: readonly Team[] | undefined) => {
  const findNewestFromOthers = useFindNewestFromOthers();
  const { user } = useSession();
  const staff = useProducers();
  return async (room: RoomKey, count: number): Promise<UnreadSummary | undefined> => {
    const newest = await findNewestFromOthers(room);
    const { clientId } = splitRoomKey(room);
    const team = teams?.find(({ client_id }) => client_id === clientId);
    if (newest === undefined || team === undefined || user === undefined) return undefined;
    const sender = toSender(newest, { user, team, staff });
    const text = newest.kind === 'message' ? toVisible(newest.text) : UNREADABLE_TEXT;
    return {
      room,
      clientName: toFullName(team),
      count,
      at: newest.timetoken,
      sender: toSenderLabel(sender),
      text,
    };
  };
};

/**
 * Requests a notification for up to eight rooms that are not muted and have new messages, the first
 * one with the sound, in the page's service worker, which shows it if no page has the focus. Closes
 * notifications of read messages, and all of them once the user signs out.
 */
export const Notifications = ({ unread, caughtUp }: Arrivals) => {
  useClicks();
  const choice = useNotificationChoice();
  const teams = useTeams();
  const readSummary = useReadSummary(teams);
  const hasReadRooms = useReadRooms();
  const atStart = useUnreadModel()?.atStart;
  // Messages that this device already had at the start do not count as new. No clock decides that:
  // clocks differ.
  const seen = useRef(atStart);
  /** The present unread messages; undefined once the user has signed out. */
  const latest = useRef<UnreadByRoom | undefined>(unread);
  const report = useEffectEvent(async (before: UnreadByRoom, now: UnreadByRoom): Promise<void> => {
    if (hasReadRooms(now)) {
      await requestOfWorker({
        type: 'KEEP_NOTIFICATIONS',
        subject: 'messages',
        rooms: [...now.keys()],
      });
    }
    if (choice?.isOn !== true || isQuietAt(choice, new Date())) return;
    let { hasSound } = choice;
    for (const room of listAnnounced(before, now, choice)) {
      const summary = await readSummary(room, now.get(room)?.count ?? 0);
      // Skipped if it was read or the user signed out meanwhile.
      if (summary === undefined || latest.current?.has(room) !== true) continue;
      await requestOfWorker(toNotification(summary, { ...choice, hasSound }));
      hasSound = false;
    }
  });
  const isReady = caughtUp && choice !== undefined && teams !== undefined;
  useEffect(() => {
    latest.current = unread;
    const before = seen.current ?? atStart;
    if (before === undefined) return;
    // With the focus here, the user has seen it, even if the focus is elsewhere once it is
    // reported.
    seen.current = document.hasFocus() ? unread : before;
    // Missed messages arrive in many steps: they are reported together.
    if (!isReady) return;
    void report(seen.current, unread);
    seen.current = unread;
  }, [unread, atStart, isReady]);
  useEffect(
    () => () => {
      latest.current = undefined;
      void requestOfWorker({ type: 'KEEP_NOTIFICATIONS', subject: 'messages', rooms: [] });
    },
    [],
  );
  return null;
};
