import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { useNotificationChoice } from '#db/hooks/choices/use-notifications.ts';
import { useTeams } from '#db/hooks/use-stored.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { ROUTES } from '#domain/routes.ts';
import type { Reminder } from '#domain/schemas/marks.ts';
import { toReminderPath } from '#domain/rules/waiting-clients.ts';
import { isQuietAt, toReminderNotification } from '#domain/rules/notification.ts';
import { type Team, toFullName } from '#domain/schemas/team.ts';
import { toRoomName } from '#domain/room-name.ts';
import { fromEpochMs, type Timetoken } from '#domain/timetoken.ts';
import { navigate } from '#src/ui/address.tsx';
import { showToast } from '#src/ui/toasts/toast-store.ts';

import { useDueReminders } from '../unread/use-due-reminders.ts';
import { canShow, requestOfWorker } from './notifications.tsx';
import { useIsVisible } from './use-is-visible.ts';

interface DueReminder {
  readonly room: RoomKey;
  readonly at: Timetoken;
  readonly path: string;
  readonly clientName: string;
}

const toDescription = (count: number): string =>
  count === 0 ? '' : count === 1 ? '1 reminder is due' : `${count} reminders are due`;

/** One toast, however many became due: they would remove each other. */
const showReminders = (reminders: readonly DueReminder[]): void => {
  const [first, second] = reminders;
  if (first === undefined) return;
  const [text, path] =
    second === undefined
      ? [`Reminder: ${toRoomName(first.room, first.clientName)}`, first.path]
      : [toDescription(reminders.length), ROUTES.home];
  showToast('notice', text, { label: 'Open', run: () => navigate(path) });
};

const closeOthers = (rooms: readonly RoomKey[]): void =>
  void requestOfWorker({ type: 'KEEP_NOTIFICATIONS', subject: 'reminder', rooms: [...rooms] });

const toDueReminders = (
  due: Iterable<readonly [RoomKey, Reminder]>,
  teams: readonly Team[],
): readonly DueReminder[] =>
  [...due].flatMap(([room, reminder]) => {
    const team = teams.find(({ client_id }) => client_id === splitRoomKey(room).clientId);
    const path = toReminderPath(room, reminder);
    return team === undefined
      ? []
      : [{ room, at: reminder.due, path, clientName: toFullName(team) }];
  });

/**
 * Announces reminders that become due while the page is open, once each: as a notification if these
 * are on, and in a visible page as a toast, otherwise once it is visible. Home lists all of them;
 * their number describes the link to Home.
 */
export const DueReminders = ({ caughtUp }: { readonly caughtUp: boolean }) => {
  const reminders = useDueReminders();
  const teams = useTeams();
  const choice = useNotificationChoice();
  const visible = useIsVisible();
  const [start] = useState(() => fromEpochMs(Date.now()));
  const announced = useRef<ReadonlyMap<RoomKey, Timetoken>>(new Map());
  /** The rooms whose notifications may be shown; unknown at first: an earlier page showed some. */
  const shown = useRef<readonly RoomKey[] | undefined>(undefined);
  const announce = useEffectEvent((due: ReadonlyMap<RoomKey, Reminder>, isShown: boolean): void => {
    if (choice === undefined) return;
    const isNew = ([room, { due: at }]: readonly [RoomKey, Reminder]): boolean =>
      at >= start && announced.current.get(room) !== at;
    const fresh = toDueReminders([...due].filter(isNew), teams ?? []);
    const isNotified = choice.isOn && !isQuietAt(choice, new Date()) && canShow();
    if (fresh.length === 0 || !(isShown || isNotified)) return;
    announced.current = new Map([
      ...announced.current,
      ...fresh.map(({ room, at }) => [room, at] as const),
    ]);
    if (isShown) showReminders(fresh);
    for (const [n, reminder] of isNotified ? fresh.entries() : []) {
      const hasSound = choice.hasSound && n === 0;
      void requestOfWorker(toReminderNotification(reminder, { ...choice, hasSound }));
    }
  });
  const isReady = caughtUp && choice !== undefined;
  useEffect(() => {
    // Reminders that were done elsewhere during an absence are no longer announced.
    if (!isReady || reminders === undefined) return;
    announce(reminders.due, visible);
    const rooms = reminders.listByNow();
    const before = shown.current;
    shown.current = rooms;
    if (before?.every((room) => rooms.includes(room)) !== true) closeOthers(rooms);
  }, [reminders, isReady, visible]);
  useEffect(() => () => closeOthers([]), []);
  return (
    <span id="reminders" hidden>
      {toDescription(reminders?.due.size ?? 0)}
    </span>
  );
};
