import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';

import { useQueuedCount } from '#db/hooks/use-unsent.ts';
import { useSpace } from '#db/hooks/use-stored.ts';
import { useStore } from '#db/hooks/store-context.ts';
import { useLogout } from '#src/actors/actors.ts';
import { useReturned } from '#src/actors/desk.ts';
import { useChatIds, usePathname } from '#src/ui/address.tsx';
import { contentShown, useContentShown } from '#src/ui/deferred/content-shown.ts';
import { Loading } from '#src/ui/waiting.tsx';
import { deferredComponent } from '#src/ui/deferred/deferred-component.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';
import { PageFrameContext, UnreadContext } from '#src/ui/page-frame.ts';

import { dropEarlyKey, EarlyKeys, waitForEarlyKey } from '../keyboard/early-keys.ts';
import { MainNavigation } from './main-navigation.tsx';
import { PhoneBar } from './phone-bar.tsx';
import classes from './shell.module.css';
import { usePageUnread } from '../unread/use-page-unread.ts';

/**
 * The shortcuts load after the content, or when the first one is pressed. Without their chunk
 * everything is still available by pointer.
 */
const Keyboard = lazyComponent(async () => {
  await Promise.race([contentShown(), waitForEarlyKey()]);
  try {
    return await import('../keyboard/keyboard.tsx');
  } catch (error) {
    dropEarlyKey();
    throw error;
  }
}, EarlyKeys);
/** Without its chunk no toast reports a failed message, and no notification appears. */
const Notices = deferredComponent(() => import('../notices/notices.tsx'));
/** Empty while online, and a start does not wait for it. */
const ConnectionStatus = deferredComponent(
  () => import('#src/status/connection-status.tsx'),
  () => <div role="status" aria-label="Connection" />,
);
const SignOut = lazyComponent(() => import('../sign-out/dialog.tsx'));
const StorageNotice = lazyComponent(() => import('./storage-notice.tsx'));

/** Below this width the page is one pane with a bar instead of columns. */
const PHONE = window.matchMedia('(max-width: 767.98px)');

const watchPhone = (onChange: () => void): (() => void) => {
  PHONE.addEventListener('change', onChange);
  return () => PHONE.removeEventListener('change', onChange);
};

/** If a page removed or hid its focused link, the focus moves to the next page's content. */
const useFocusedMain = () => {
  const pathname = usePathname();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useEffect(() => {
    const moved = shown.current !== pathname;
    shown.current = pathname;
    const { activeElement: focused, body } = document;
    if (moved && (focused === body || !focused?.checkVisibility())) {
      main.current?.focus({ preventScroll: true });
    }
  }, [pathname]);
  return main;
};

/** The rooms report their content themselves (chat-page.tsx); other pages have it at once. */
const useContent = (hasStore: boolean): void => {
  const isChat = useChatIds() !== undefined;
  useContentShown(hasStore && !isChat);
};

/** Asks before a sign-out, while that is needed. */
const SignOutQuestion = ({ queued }: { readonly queued: number }) => {
  const { state } = useLogout();
  const isShown = state === 'asking' || state === 'sending' || state === 'sharing';
  return isShown && <SignOut queued={queued} />;
};

/**
 * Frame of every signed-in page: skip link, navigation, connection line, `main`. It is shown while
 * the user's store opens; the page itself follows then.
 */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const phone = useSyncExternalStore(watchPhone, () => PHONE.matches);
  const queued = useQueuedCount();
  const returned = useReturned();
  const { isFull } = useSpace();
  const hasNotice = isFull || returned.loss !== 'none' || returned.unreadable;
  const main = useFocusedMain();
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const { frame, unread } = usePageUnread(phone, phone ? bar : null);
  const hasStore = useStore() !== undefined;
  useContent(hasStore);
  return (
    <PageFrameContext value={frame}>
      <UnreadContext value={unread}>
        <div className={classes['root']} data-phone={phone || undefined}>
          <a
            href="#main"
            className={classes['skip']}
            onClick={(event) => {
              // The address may be that of a message, to which the room would jump again.
              event.preventDefault();
              main.current?.focus();
            }}
          >
            Skip to content
          </a>
          <Notices />
          <Keyboard />
          <SignOutQuestion queued={queued} />
          {phone ? <PhoneBar slot={setBar} /> : <MainNavigation />}
          <div className={classes['page']}>
            {/* On a full disk nothing is being sent. */}
            <ConnectionStatus queued={isFull ? 0 : queued} />
            {hasNotice && <StorageNotice returned={returned} />}
            <main ref={main} id="main" tabIndex={-1} className={classes['main']}>
              {hasStore ? children : <Loading size={36} />}
            </main>
          </div>
        </div>
      </UnreadContext>
    </PageFrameContext>
  );
};
