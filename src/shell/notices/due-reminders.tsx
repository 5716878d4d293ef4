import { useEffect, useEffectEvent, useRef, useState } from 'react';

import { useNotificationChoice } from '#db/hooks/choices/use-notifications.ts';
import { useTeams } from '#db/hooks/use-teams.ts';
import { type RoomKey, splitRoomKey } from '#domain/rooms.ts';
import { toRoomPath } from '#domain/routes.ts';
import { isQuietAt, toReminderNotification, toRoomName } from '#domain/rules/notification.ts';
import { toFullName } from '#domain/schemas/team.ts';
import { fromEpochMs, type Timetoken } from '#domain/timetoken.ts';
import { navigate } from '#src/ui/address.tsx';
import { showToast } from '#src/ui/toasts/toast-store.ts';

import { useDueReminders } from '../unread/use-due-reminders.ts';
import { requestOfWorker } from './notifications.tsx';

const toDescription = (count: number): string =>
  count === 0 ? '' : count === 1 ? '1 reminder is due' : `${count} reminders are due`;

/**
 * Reports reminders that become due while the page is open: in a visible page as a toast, otherwise
 * as a notification. Home lists all of them; their number describes the link to Home.
 */
export const DueReminders = () => {
  const due = useDueReminders();
  const teams = useTeams();
  const choice = useNotificationChoice();
  const [start] = useState(() => fromEpochMs(Date.now()));
  const reported = useRef<ReadonlyMap<RoomKey, Timetoken>>(new Map());
  const report = useEffectEvent((room: RoomKey, at: Timetoken): void => {
    const team = teams?.find(({ client_id }) => client_id === splitRoomKey(room).clientId);
    if (team === undefined) return;
    const clientName = toFullName(team);
    if (document.visibilityState === 'visible') {
      const open = { label: 'Open', run: () => navigate(toRoomPath(room)) };
      showToast('info', `Reminder: ${toRoomName(room, clientName)}`, open);
    }
    if (choice?.isOn !== true || isQuietAt(choice, new Date())) return;
    void requestOfWorker(toReminderNotification({ room, at, clientName }, choice));
  });
  useEffect(() => {
    if (due === undefined || choice === undefined) return;
    const before = reported.current;
    reported.current = due;
    const isNew = ([room, at]: readonly [RoomKey, Timetoken]): boolean =>
      at >= start && before.get(room) !== at;
    for (const [room, at] of [...due].filter(isNew)) report(room, at);
    if ([...before.keys()].every((room) => due.has(room))) return;
    const rooms = [...due.keys()];
    void requestOfWorker({ type: 'KEEP_NOTIFICATIONS', subject: 'reminder', rooms });
  }, [due, choice, start]);
  useEffect(
    () => () =>
      void requestOfWorker({ type: 'KEEP_NOTIFICATIONS', subject: 'reminder', rooms: [] }),
    [],
  );
  return (
    <span id="reminders" hidden>
      {toDescription(due?.size ?? 0)}
    </span>
  );
};
