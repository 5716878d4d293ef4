import { useState } from 'react';
import { IconArrowLeft, IconMenu2, IconSearch } from '@tabler/icons-react';

import { ROUTES } from '#domain/routes.ts';
import { isPlain, Link, useChatIds } from '#src/ui/address.tsx';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

import { NavigationBadge } from './navigation-links.tsx';
import classes from './phone-bar.module.css';
import { UserMenu } from './user-menu.tsx';

// If its code is lost offline, the page stays.
const NavigationDrawer = lazyComponent(() => import('./navigation-drawer.tsx'), null);

const AVATAR_PX = 34;

/** The target of "up" for a chat address, by the route only; undefined elsewhere. */
const useUpLink = (): { readonly to: string; readonly label: string } | undefined => {
  const ids = useChatIds();
  if (ids?.clientId === undefined) return undefined;
  return ids.roomId === undefined
    ? { to: ROUTES.chat, label: 'Back to clients' }
    : { to: `${ROUTES.chat}/${ids.clientId}`, label: 'Back to rooms' };
};

/** Whether the previous page in the history has this path; unknown in older browsers. */
const isPageBefore = (path: string): boolean => {
  const navigation: Navigation | undefined = window.navigation;
  const here = navigation?.currentEntry?.index ?? 0;
  const url = navigation?.entries()[here - 1]?.url;
  return url ? new URL(url).pathname === path : false;
};

/**
 * The bar of phones: navigation, the up link, the page's name (rendered by the page through
 * `slot`), the user.
 */
export const PhoneBar = ({ slot }: { readonly slot: (element: HTMLElement | null) => void }) => {
  const [open, setOpen] = useState(false);
  const up = useUpLink();
  return (
    <header className={classes['bar']}>
      <button
        type="button"
        className={classes['button']}
        aria-label="Open navigation"
        aria-describedby="unread reminders"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <IconMenu2 size={22} aria-hidden />
        <NavigationBadge />
      </button>
      {up && (
        // Goes back if the user came from above, or else replaces the entry: in the history, no
        // room comes after its own list of rooms.
        <Link
          to={up.to}
          replace
          className={classes['button']}
          aria-label={up.label}
          onClick={(event) => {
            if (!isPlain(event) || !isPageBefore(up.to)) return;
            event.preventDefault();
            history.back();
          }}
        >
          <IconArrowLeft size={22} aria-hidden />
        </Link>
      )}
      <div className={classes['place']} ref={slot} />
      <Link to={ROUTES.search} className={classes['button']} aria-label="Search messages">
        <IconSearch size={20} aria-hidden />
      </Link>
      <UserMenu position="bottom-end" size={AVATAR_PX} />
      {open && <NavigationDrawer onClose={() => setOpen(false)} />}
    </header>
  );
};
