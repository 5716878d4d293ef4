import { useEffect, useRef, useState } from 'react';
import { Menu, type MenuProps, UnstyledButton } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';

import type { User } from '#domain/schemas/session.ts';
import { Link } from '#src/ui/address.tsx';
import { type LogoutView, useLogout, useSession } from '#src/actors/actors.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';
import { withMantine } from '#src/ui/mantine.tsx';

import { toShownName, UserAvatar } from './user-avatar.tsx';
import { USER_PAGES } from '../pages/user-pages.ts';
import classes from './user-menu.module.css';

export interface UserMenuProps {
  readonly position: NonNullable<MenuProps['position']>;
  /** px */
  readonly size: number;
  /** What the user already did with the button before the menu had loaded. */
  readonly wish: 'none' | 'focus' | 'open';
  readonly onWish: (wish: UserMenuProps['wish']) => void;
}

const ROLES = { producer: 'Producer', team: 'Team member' } as const;

/** Inside a landmark, so that landmark navigation reaches the menu, too. */
const PORTAL = { target: '#main' };

/** This device could not store the sign-out. */
const SIGN_OUT_FAILED = "Sign-out failed. You're still signed in.";

const Items = ({
  user,
  logout,
}: {
  readonly user: User | undefined;
  readonly logout: LogoutView;
}) => {
  const name = toShownName(user);
  return (
    <>
      <div className={classes['who']}>
        <strong className={classes['name']}>{name}</strong>
        {user?.email !== name && <span className={classes['email']}>{user?.email}</span>}
        {user?.role !== undefined && <span className={classes['role']}>{ROLES[user.role]}</span>}
      </div>
      <Menu.Divider />
      {USER_PAGES.map(({ to, label, icon: Icon }) => (
        <Menu.Item
          key={to}
          component={Link}
          to={to}
          leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconLogout size={18} stroke={1.6} aria-hidden />}
        disabled={!logout.isPossible}
        onClick={() => logout.submit()}
      >
        Logout
      </Menu.Item>
    </>
  );
};

/** Continues what the user did with the button before this one took its place. */
const useFirstWish = (wish: UserMenuProps['wish']) => {
  const [first] = useState(wish);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (first === 'focus') target.current?.focus({ preventScroll: true });
  }, [first]);
  return { target, opened: first === 'open' };
};

/** Settings, Spendings, Referral, Logout (spec §1), and the signed-in user. */
const UserMenuButton = ({ position, size, wish }: UserMenuProps) => {
  const { user } = useSession();
  const logout = useLogout();
  const { target, opened } = useFirstWish(wish);
  useEffect(() => {
    if (logout.error !== undefined) showToast('error', SIGN_OUT_FAILED);
  }, [logout.error]);
  return (
    <Menu
      defaultOpened={opened}
      position={position}
      width={232}
      offset={10}
      returnFocus
      withInitialFocusPlaceholder={false}
      portalProps={PORTAL}
    >
      <Menu.Target>
        <UnstyledButton ref={target} aria-label="User menu" className={classes['target'] ?? ''}>
          <UserAvatar size={size} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes['dropdown'] ?? ''}>
        <Items user={user} logout={logout} />
      </Menu.Dropdown>
    </Menu>
  );
};

export default withMantine(UserMenuButton);
