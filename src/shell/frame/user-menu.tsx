import { useEffect, useMemo, useState } from 'react';

import { contentShown } from '#src/ui/content-shown.ts';
import { lazyComponent } from '#src/ui/lazy-component.tsx';

import { UserAvatar } from './user-avatar.tsx';
import type { UserMenuProps } from './user-menu-button.tsx';
import classes from './user-menu.module.css';

const { promise: wished, resolve: noteWish } = Promise.withResolvers<void>();

/** From the end of a press to its click, ms: a touch ends before its click. */
const CLICK_AFTER_MS = 100;

/** Resolves once the last press of the button, if any, has become a click. */
let clicked: Promise<void> = Promise.resolve();

/** A click is lost if the button is replaced between its press and its release. */
const notePress = (): void => {
  const { promise, resolve } = Promise.withResolvers<void>();
  clicked = promise;
  const listening = new AbortController();
  const end = (): void => {
    listening.abort();
    setTimeout(resolve, CLICK_AFTER_MS);
  };
  for (const name of ['pointerup', 'pointercancel', 'keyup', 'blur']) {
    window.addEventListener(name, end, { signal: listening.signal });
  }
};

/**
 * Takes the menu's place until it has loaded. A click opens the menu then, unless the user has gone
 * on with something else.
 */
const UserMenuPlace = ({ size, wish, onWish }: UserMenuProps) => {
  const isWanted = wish === 'open';
  useEffect(() => {
    if (!isWanted) return undefined;
    // Not every browser focuses a button that is clicked, so that it could lose the focus.
    const forget = (): void => onWish('none');
    window.addEventListener('pointerdown', forget);
    return () => window.removeEventListener('pointerdown', forget);
  }, [isWanted, onWish]);
  return (
    <button
      type="button"
      aria-label="User menu"
      aria-haspopup="menu"
      aria-busy={isWanted || undefined}
      className={classes['target']}
      onFocus={() => onWish('focus')}
      onBlur={() => onWish('none')}
      onPointerDown={notePress}
      onKeyDown={notePress}
      onClick={() => onWish('open')}
    >
      <UserAvatar size={size} />
    </button>
  );
};

/** The menu loads after the content of the page, or when it is needed. */
const LoadedMenu = lazyComponent<UserMenuProps>(async () => {
  await Promise.race([contentShown(), wished]);
  const part = await import('./user-menu-button.tsx');
  // One press may follow another.
  for (let last; last !== clicked; await last) last = clicked;
  return part;
}, UserMenuPlace);

export const UserMenu = (place: Pick<UserMenuProps, 'position' | 'size'>) => {
  const [wish, setWish] = useState<UserMenuProps['wish']>('none');
  const onWish = useMemo(
    () => (next: UserMenuProps['wish']) => {
      if (next !== 'none') noteWish();
      setWish((now) => (now === 'open' && next === 'focus' ? now : next));
    },
    [],
  );
  return <LoadedMenu {...place} wish={wish} onWish={onWish} />;
};
