import { useEffect } from 'react';

import { FailureToasts } from './failure-toasts.tsx';
import { type Arrivals, Notifications } from './notifications.tsx';

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

/** Reports events outside the visible page: messages that fail, and new ones in the background. */
const Notices = ({ total, ...arrivals }: Arrivals & { readonly total: number }) => {
  useAppBadge(total);
  return (
    <>
      <FailureToasts />
      <Notifications {...arrivals} />
    </>
  );
};

export default Notices;
