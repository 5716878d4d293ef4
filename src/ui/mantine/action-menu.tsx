import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useRef } from 'react';
import { Menu, type MenuProps } from '@mantine/core';

import { withMantine } from './with-mantine.tsx';

export interface ActionMenuProps extends Pick<MenuProps, 'offset' | 'position' | 'width'> {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
  /** Gets the focus back from the list. */
  readonly button: RefObject<HTMLElement | null>;
  /** The anchor of the list: the button, or an element under it. */
  readonly target: ReactNode;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The menu is inside a landmark, so that landmark navigation reaches it, too. */
const PORTAL = { target: '#main' };

/** A list that fits on neither side of its button lies over it. */
const MIDDLEWARES: MenuProps['middlewares'] = { shift: { crossAxis: true, padding: 8 } };

/**
 * A list of actions at a button, with the keys of the WAI-ARIA menu pattern. Takes the focus once:
 * Mantine's trap (use-focus-trap) does so twice, and a key pressed in between had no effect.
 */
export const ActionMenu = withMantine(
  ({ label, isOpen, onChange, button, target, className, children, ...menu }: ActionMenuProps) => {
    const list = useRef<HTMLElement>(null);
    const takeFocus = useCallback((element: HTMLElement | null) => {
      list.current = element;
      // Runs after Mantine's effect that records where the focus was (use-focus-return).
      setTimeout(() => {
        element?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
      });
    }, []);
    const change = (opened: boolean): void => {
      // Focus that is already elsewhere stays there, for example in a field in use.
      if (!opened && list.current?.contains(document.activeElement) === true) {
        button.current?.focus({ preventScroll: true });
      }
      onChange(opened);
    };
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Tab') change(false);
    };
    return (
      <Menu
        {...menu}
        opened={isOpen}
        onChange={change}
        trapFocus={false}
        returnFocus={false}
        withInitialFocusPlaceholder={false}
        middlewares={MIDDLEWARES}
        portalProps={PORTAL}
        // The landmark cuts off whatever else leaves it.
        floatingStrategy="fixed"
      >
        <Menu.Target>{target}</Menu.Target>
        <Menu.Dropdown
          ref={takeFocus}
          aria-label={label}
          className={className ?? ''}
          onKeyDown={onKeyDown}
        >
          {children}
        </Menu.Dropdown>
      </Menu>
    );
  },
);
