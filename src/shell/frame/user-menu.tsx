import { lazyComponent } from '#src/ui/lazy-component.tsx';

import { UserAvatar } from './user-avatar.tsx';
import type { UserMenuProps } from './user-menu-button.tsx';

/** The menu loads after the first paint; until then the initials take its place. */
export const UserMenu = lazyComponent<UserMenuProps>(
  () => import('./user-menu-button.tsx'),
  UserAvatar,
);
