import { loadApart } from '#src/ui/load-apart.tsx';

import { UserAvatar } from './user-avatar.tsx';
import type { UserMenuProps } from './user-menu-button.tsx';

/** The menu arrives after the first paint; the initials stand in its place until then. */
export const UserMenu = loadApart<UserMenuProps>(
  () => import('./user-menu-button.tsx'),
  UserAvatar,
);
