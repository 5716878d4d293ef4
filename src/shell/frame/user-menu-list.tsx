import { type RefObject, useEffect } from 'react';
import { Menu, type MenuProps } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';

import type { AppError } from '#domain/errors.ts';
import type { User } from '#domain/schemas/session.ts';
import { Link } from '#src/ui/address.tsx';
import { type LogoutView, useLogout, useSession } from '#src/actors/actors.ts';
import { showToast } from '#src/ui/toasts/toast-store.ts';
import { ActionMenu } from '#src/ui/mantine/action-menu.tsx';

import { toShownName } from './user-avatar.tsx';
import { USER_PAGES } from '../pages/user-pages.ts';
import classes from './user-menu.module.css';

export interface UserMenuListProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly position: NonNullable<MenuProps['position']>;
  /** Gets the focus back from the list. */
  readonly button: RefObject<HTMLElement | null>;
}

const ROLES = { producer: 'Producer', team: 'Team member' } as const;

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

/** Failures that a toast has shown: turning a phone mounts the list again. */
const shown = new WeakSet<AppError>();

/** Settings, Spendings, Referral, Logout (spec §1), and the signed-in user. */
const UserMenuList = ({ isOpen, onClose, position, button }: UserMenuListProps) => {
  const { user } = useSession();
  const logout = useLogout();
  useEffect(() => {
    if (logout.error === undefined || shown.has(logout.error)) return;
    shown.add(logout.error);
    showToast('error', SIGN_OUT_FAILED);
  }, [logout.error]);
  return (
    <ActionMenu
      label="User menu"
      isOpen={isOpen}
      onChange={onClose}
      button={button}
      position={position}
      width={232}
      offset={10}
      className={classes['dropdown']}
      // The target is under the button, which stays as it is.
      target={<span aria-hidden className={classes['target']} />}
    >
      <Items user={user} logout={logout} />
    </ActionMenu>
  );
};

export default UserMenuList;
