import { useEffect, useRef, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { Outlet, useLocation } from 'react-router';

import { useQueuedCount } from '#db/hooks/use-queued-count.ts';
import { useSpace } from '#db/hooks/use-space.ts';
import { useReturned } from '#src/actors/storage.ts';
import { ConnectionStatus } from '#src/status/connection-status.tsx';
import { lazyComponent } from '#src/ui/lazy-component.tsx';
import type { PageFrame } from '#src/ui/page-frame.ts';

import { MainNavigation } from './main-navigation.tsx';
import { NAVIGATION_ITEMS } from '../pages/navigation-items.ts';
import { PhoneBar } from './phone-bar.tsx';
import classes from './shell.module.css';
import { useUnreadFrame } from '../unread/use-unread-frame.ts';

/** Without its chunk everything is still available by pointer. */
const Keyboard = lazyComponent(
  () => import('../keyboard/keyboard.tsx'),
  () => null,
);
/** Without its chunk a failed message is marked only in its room. */
const FailureToasts = lazyComponent(
  () => import('../unread/failure-toasts.tsx'),
  () => null,
);
const SignOut = lazyComponent(() => import('../sign-out/dialog.tsx'));
const StorageNotice = lazyComponent(() => import('./storage-notice.tsx'));

/** Below this width the page is one pane with a bar instead of columns. */
const PHONE = '(max-width: 767.98px)';

/** If a page removed its focused link, the focus moves to the next page's content. */
const useFocusedMain = () => {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    const moved = shown.current !== pathname;
    shown.current = pathname;
    if (moved && document.activeElement === document.body) {
      main.current?.focus({ preventScroll: true });
    }
  }, [pathname]);
  return main;
};

/** Frame of every signed-in page: skip link, navigation, connection line, `main`. */
export const Shell = () => {
  const phone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const queued = useQueuedCount();
  const returned = useReturned();
  const { isFull } = useSpace();
  const hasNotice = isFull || returned.loss !== 'none' || returned.unreadable;
  const main = useFocusedMain();
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const unread = useUnreadFrame();
  return (
    <div className={classes['root']} data-phone={phone || undefined}>
      <a href="#main" className={classes['skip']}>
        Skip to content
      </a>
      <FailureToasts />
      <Keyboard unread={unread.unread} sections={NAVIGATION_ITEMS} />
      <SignOut queued={queued} />
      {phone ? <PhoneBar slot={setBar} /> : <MainNavigation />}
      <div className={classes['page']}>
        {/* On a full disk nothing is being sent. */}
        <ConnectionStatus queued={isFull ? 0 : queued} />
        {hasNotice && <StorageNotice returned={returned} />}
        <main ref={main} id="main" tabIndex={-1} className={classes['main']}>
          <Outlet context={{ phone, bar: phone ? bar : null, ...unread } satisfies PageFrame} />
        </main>
      </div>
    </div>
  );
};
