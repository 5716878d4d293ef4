import { useMemo, useState } from 'react';
import { type MenuProps, UnstyledButton } from '@mantine/core';

import { contentShown } from '#src/ui/content-shown.ts';
import { lazyComponent } from '#src/ui/lazy-component.tsx';

import { UserAvatar } from './user-avatar.tsx';
import classes from './user-menu.module.css';

interface Place {
  readonly position: NonNullable<MenuProps['position']>;
  /** px */
  readonly size: number;
}

/** What the user already did with the button before the menu had loaded. */
export type Wish = 'none' | 'focus' | 'open';

export interface UserMenuProps extends Place {
  readonly wish: Wish;
  readonly onWish: (wish: Wish) => void;
}

const { promise: wished, resolve: noteWish } = Promise.withResolvers<void>();

/** Takes the menu's place until it has loaded; a click opens the menu then. */
const UserMenuPlace = ({ size, wish, onWish }: UserMenuProps) => (
  <UnstyledButton
    aria-label="User menu"
    aria-haspopup="menu"
    aria-busy={wish === 'open' || undefined}
    className={classes['target'] ?? ''}
    onFocus={() => onWish('focus')}
    onBlur={() => onWish('none')}
    onClick={() => onWish('open')}
  >
    <UserAvatar size={size} />
  </UnstyledButton>
);

/** The menu loads after the content of the page, or when it is needed. */
const LoadedMenu = lazyComponent<UserMenuProps>(async () => {
  await Promise.race([contentShown, wished]);
  return import('./user-menu-button.tsx');
}, UserMenuPlace);

export const UserMenu = (place: Place) => {
  const [wish, setWish] = useState<Wish>('none');
  const onWish = useMemo(
    () => (next: Wish) => {
      if (next !== 'none') noteWish();
      setWish((now) => (now === 'open' ? now : next));
    },
    [],
  );
  return <LoadedMenu {...place} wish={wish} onWish={onWish} />;
};
