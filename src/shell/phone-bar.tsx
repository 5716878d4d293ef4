import { useState } from 'react';
import { IconArrowLeft, IconMenu2 } from '@tabler/icons-react';
import { Link, useMatch } from 'react-router';

import { ROUTES, toClientPath } from '#domain/routes.ts';

import { NavigationDrawer } from './navigation-drawer.tsx';
import classes from './phone-bar.module.css';
import { UserMenu } from './user-menu.tsx';

const AVATAR_PX = 34;

/** Where "up" leads from a chat address, by the route alone; nothing elsewhere. */
const useUpLink = (): { readonly to: string; readonly label: string } | undefined => {
  const room = useMatch('/chat/:clientId/:roomId');
  const client = useMatch('/chat/:clientId');
  const clientId = room?.params.clientId;
  if (clientId !== undefined) return { to: toClientPath(clientId), label: 'Back to rooms' };
  return client === null ? undefined : { to: ROUTES.chat, label: 'Back to clients' };
};

/**
 * The one bar of phones: navigation, the way up, the place's name (put there by the page
 * through `slot`), the user.
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
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <IconMenu2 size={22} aria-hidden />
      </button>
      {up !== undefined && (
        <Link to={up.to} className={classes['button'] ?? ''} aria-label={up.label}>
          <IconArrowLeft size={22} aria-hidden />
        </Link>
      )}
      <div className={classes['place']} ref={slot} />
      <UserMenu position="bottom-end" size={AVATAR_PX} />
      {open && <NavigationDrawer onClose={() => setOpen(false)} />}
    </header>
  );
};
