import type { MenuProps } from '@mantine/core';

import { loadApart } from '#src/ui/load-apart.tsx';

import { UserAvatar } from './user-avatar.tsx';

export interface UserMenuProps {
  readonly position: NonNullable<MenuProps['position']>;
  /** px */
  readonly size: number;
}

/** The menu arrives after the first paint; the initials stand in its place until then. */
export const UserMenu = loadApart<UserMenuProps>(
  () => import('./user-menu-button.tsx'),
  UserAvatar,
);
