import { useContext, useEffect, useEffectEvent, useMemo } from 'react';

import { useTeams } from '#db/hooks/use-stored.ts';
import { splitRoomKey } from '#domain/rooms.ts';
import type { UnreadByRoom } from '#domain/rules/unread.ts';
import { useTeamsStatus } from '#src/actors/desk.ts';
import { UnreadContext, usePageFrame } from '#src/ui/page-frame.ts';
import { toUnreadDescription } from '#src/ui/unread-badge.tsx';

import { DueReminders } from './due-reminders.tsx';
import { FailureToasts } from './failure-toasts.tsx';
import { LostRooms } from './lost-rooms.tsx';
import { Notifications } from './notifications.tsx';
import './print.css';

/** Absent in some browsers, and on plain http beyond loopback, although the types declare it. */
const badging: Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> = navigator;

/** Shows a number on the icon of the installed app (Badging API), as the browser's tab does. */
const useAppBadge = (count: number): void => {
  useEffect(() => {
    const show = async (): Promise<void> => {
      try {
        await (count === 0 ? badging.clearAppBadge?.() : badging.setAppBadge?.(count));
      } catch {
        // Not an installed app: there is no icon.
      }
    };
    void show();
  }, [count]);
  useEffect(() => () => void badging.clearAppBadge?.().catch(() => undefined), []);
};

/**
 * The unread messages of listed clients. Another client may be newer than the list, which is then
 * requested again; one who was removed costs one request.
 */
const useListed = (unread: UnreadByRoom): UnreadByRoom => {
  const teams = useTeams();
  const retry = useEffectEvent(useTeamsStatus().retry);
  const { listed, missing } = useMemo(() => {
    if (teams === undefined) return { listed: unread, missing: '' };
    const ids = new Set(teams.map(({ client_id }) => client_id));
    const isListed = (clientId: string): boolean => ids.has(clientId);
    const clients = [...unread.keys()].map((room) => splitRoomKey(room).clientId);
    return {
      listed: new Map([...unread].filter(([room]) => isListed(splitRoomKey(room).clientId))),
      missing: [...new Set(clients.filter((id) => !isListed(id)))].toSorted().join(' '),
    };
  }, [unread, teams]);
  useEffect(() => {
    if (missing !== '') retry();
  }, [missing]);
  return listed;
};

/**
 * Reports events outside the visible page: messages that fail, reminders, rooms that a colleague
 * takes over, and new messages in the background. The number of unread messages is on the app's
 * icon, and describes the controls that lead to Chat.
 */
const Notices = () => {
  const { total, caughtUp } = usePageFrame();
  const unread = useListed(useContext(UnreadContext));
  useAppBadge(total);
  return (
    <>
      <span id="unread" hidden>
        {toUnreadDescription(total)}
      </span>
      <FailureToasts />
      <DueReminders caughtUp={caughtUp} />
      <LostRooms caughtUp={caughtUp} />
      <Notifications unread={unread} caughtUp={caughtUp} />
    </>
  );
};

export default Notices;
