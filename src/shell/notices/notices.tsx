import { useContext, useEffect } from 'react';

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
 * Reports events outside the visible page: messages that fail, reminders, rooms that a colleague
 * takes over, and new messages in the background. The number of unread messages is on the app's
 * icon, and describes the controls that lead to Chat.
 */
const Notices = () => {
  const { total, caughtUp } = usePageFrame();
  const unread = useContext(UnreadContext);
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
