import { lazyComponent } from '#src/ui/lazy-component.tsx';

import { UserAvatar } from './user-avatar.tsx';
import type { UserMenuProps } from './user-menu-button.tsx';

/** The menu arrives after the first paint; the initials stand in its place until then. */
export const UserMenu = lazyComponent<UserMenuProps>(
  () => import('./user-menu-button.tsx'),
  UserAvatar,
);
