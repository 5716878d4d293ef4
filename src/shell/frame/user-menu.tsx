import { type SyntheticEvent, useCallback, useEffect, useRef, useState } from 'react';

import { contentShown } from '#src/ui/deferred/content-shown.ts';
import { lazyComponent } from '#src/ui/deferred/lazy-component.tsx';

import { UserAvatar } from './user-avatar.tsx';
import type { UserMenuListProps } from './user-menu-list.tsx';
import classes from './user-menu.module.css';

const { promise: wanted, resolve: want } = Promise.withResolvers<void>();

/** While the list loads, the next action of the user cancels it. */
const Waiting = ({ isOpen, onClose }: UserMenuListProps) => {
  useEffect(() => {
    if (!isOpen) return undefined;
    const listening = new AbortController();
    for (const name of ['pointerdown', 'keydown']) {
      window.addEventListener(name, onClose, { signal: listening.signal });
    }
    return () => listening.abort();
  }, [isOpen, onClose]);
  return null;
};

/** Loads after the content of the page, or when it is wanted. */
const UserMenuList = lazyComponent<UserMenuListProps>(async () => {
  await Promise.race([contentShown(), wanted]);
  return import('./user-menu-list.tsx');
}, Waiting);

/**
 * The user's avatar as the button of a menu. The button is there from the first paint and is never
 * replaced: a click that began on another element than it ends on is lost.
 */
export const UserMenu = ({
  position,
  size,
}: {
  readonly position: UserMenuListProps['position'];
  /** px */
  readonly size: number;
}) => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  // The menu closes on a press outside, and the click would open it again. Another open menu has to
  // see the press.
  const stop = (event: SyntheticEvent): void => {
    if (isOpen) event.stopPropagation();
  };
  return (
    <div className={classes['root']}>
      <button
        ref={button}
        type="button"
        aria-label="User menu"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={classes['button']}
        onPointerDown={stop}
        onMouseDown={stop}
        onTouchStart={stop}
        onClick={() => {
          want();
          setOpen(!isOpen);
        }}
      >
        <UserAvatar size={size} />
      </button>
      <UserMenuList isOpen={isOpen} onClose={close} position={position} button={button} />
    </div>
  );
};
